import type { Product, Segment } from './model.ts';

/** A message before its text is written. Instants are weather time. */
export interface Draft {
  segment: Segment;
  at: number;
  /** Position in the system's products, segment of the product (from 1), message of the segment (from 1). */
  product: number;
  part: number;
  order: number;
  /** End of its time in the active list. */
  listedUntil: number;
  /** Earlier messages of the event over the same areas, newest first: still valid by `expires`, or not. */
  references: Draft[];
  expired: Draft[];
}

/**
 * Puts the products of one system in relation: what each message refers to and when it leaves the active list. Upstream lists a
 * message until `ends`, or `expires` where there is none, unless a newer product of the event speaks for its areas. That holds for
 * cancellations labelled "Alert" too, which is why they stay in the list for hours (trap 2); those labelled "Cancel" go when they expire.
 */
export function chain(products: Product[]): Draft[] {
  const drafts: Draft[] = [];
  for (const [index, product] of products.entries()) {
    const fresh = draftsOf(product, index);
    for (const draft of fresh) {
      const ancestors = drafts.filter((earlier) => isAncestor(earlier, draft)).reverse();
      const quiet = draft.segment.quiet ?? false;
      draft.references = ancestors.filter((earlier) => !quiet && earlier.segment.expires > draft.at);
      draft.expired = ancestors.filter((earlier) => !draft.references.includes(earlier));
    }
    for (const earlier of drafts) {
      if (earlier.listedUntil > product.at && fresh.some((draft) => supersedes(draft, earlier))) earlier.listedUntil = product.at;
    }
    drafts.push(...fresh);
  }
  return drafts;
}

function draftsOf(product: Product, index: number): Draft[] {
  return product.segments.flatMap((segments, part) =>
    segments.map((segment, order): Draft => {
      const last = segment.end ?? segment.expires;
      const listedUntil = isTerminal(segment) && !segment.quiet ? Math.min(last, segment.expires) : last;
      return { segment, at: product.at, product: index, part: part + 1, order: order + 1, listedUntil, references: [], expired: [] };
    }),
  );
}

function sameEvent(a: Segment, b: Segment): boolean {
  if (a.action === null || b.action === null) return false;
  return (
    a.hazard.phenomenon === b.hazard.phenomenon &&
    a.hazard.significance === b.hazard.significance &&
    a.etn === b.etn &&
    a.office.id === b.office.id
  );
}

function overlaps(a: Segment, b: Segment): boolean {
  return a.areas.some((area) => b.areas.some((other) => other.ugc === area.ugc));
}

function isTerminal(segment: Segment): boolean {
  return segment.action === 'CAN' || segment.action === 'UPG';
}

function isAncestor(earlier: Draft, draft: Draft): boolean {
  return !isTerminal(earlier.segment) && sameEvent(earlier.segment, draft.segment) && overlaps(earlier.segment, draft.segment);
}

function supersedes(draft: Draft, earlier: Draft): boolean {
  if (isAncestor(earlier, draft)) return true;
  return (
    (draft.segment.replaces ?? false) &&
    draft.segment.hazard.event === earlier.segment.hazard.event &&
    overlaps(draft.segment, earlier.segment)
  );
}
