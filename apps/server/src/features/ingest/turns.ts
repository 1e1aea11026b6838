/** Runs tasks one after the other: the writer has one caller at a time. A failing task fails its caller only. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task, task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
