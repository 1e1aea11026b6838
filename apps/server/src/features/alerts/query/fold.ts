/** Letter case and accents folded, for searching and sorting: `Peñasco` finds `PENASCO`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
