import type { Recommendation } from '@nwms/contract';

export interface Advice {
  recommendations: string[];
  recommendation_details: Recommendation[];
}

/** Plain sentences beside the same items with their evidence, in one order. */
export const adviceOf = (details: readonly (Recommendation | null)[]): Advice => {
  const said = details.filter((each) => each !== null);
  return { recommendations: said.map((each) => each.description), recommendation_details: said };
};

type Short = Pick<Recommendation, 'id' | 'priority' | 'title' | 'description' | 'impact'> & {
  category?: string;
  evidence: Omit<Recommendation['evidence'], 'unit'> & { unit?: string };
  action?: Recommendation['action'];
};

export const recommend = ({ category = 'alerts', evidence, action = null, ...rest }: Short): Recommendation => ({
  ...rest,
  category,
  evidence: { ...evidence, unit: evidence.unit ?? null },
  action,
});

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
