/** Ring of parts of a whole with its total in the middle. Decoration: the numbers stand beside it as text. */
export function Doughnut({
  parts,
  total,
  dimmed = false,
}: {
  parts: readonly { value: number; token: string }[];
  total: string;
  dimmed?: boolean;
}) {
  const sum = parts.reduce((all, part) => all + part.value, 0);
  const radius = 38;
  const length = 2 * Math.PI * radius;
  const arcs = parts.map((part, index) => ({
    token: part.token,
    share: sum === 0 ? 0 : (part.value / sum) * length,
    start: sum === 0 ? 0 : (parts.slice(0, index).reduce((all, before) => all + before.value, 0) / sum) * length,
  }));
  // A whole of one part is a closed ring.
  const several = arcs.filter((arc) => arc.share > 0).length > 1;
  return (
    <svg viewBox="0 0 100 100" width="96" height="96" aria-hidden="true" className={`shrink-0 ${dimmed ? 'opacity-60 grayscale' : ''}`}>
      <circle cx="50" cy="50" r={radius} fill="none" stroke="var(--skeleton)" strokeWidth="15" />
      <g transform="rotate(-90 50 50)">
        {arcs
          .filter((arc) => arc.share > 0)
          .map(({ token, share, start }) => {
            const gap = several && share > 3 ? 1.2 : 0;
            return (
              <circle
                key={token}
                cx="50"
                cy="50"
                r={radius}
                fill="none"
                stroke={`var(--fill-${token})`}
                strokeWidth="15"
                strokeDasharray={`${Math.max(share - gap, 0.8)} ${length}`}
                strokeDashoffset={-start}
              />
            );
          })}
      </g>
      <text x="50" y="50" textAnchor="middle" dominantBaseline="central" fill="var(--text)" fontSize="17" fontWeight="650" className="tnum">
        {total}
      </text>
    </svg>
  );
}
