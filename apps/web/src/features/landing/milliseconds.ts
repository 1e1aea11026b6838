const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const one = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const two = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** "14", "8.4", "0.62": as many digits as say something. */
export const milliseconds = (ms: number): string => (ms >= 10 ? whole : ms >= 1 ? one : two).format(ms);
