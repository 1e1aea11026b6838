/** Two user names or e-mail addresses are the same when these are: compatibility forms and letter case do not make another person. */
export const foldName = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
