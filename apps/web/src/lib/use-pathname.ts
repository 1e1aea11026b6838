import { useLocation } from '@tanstack/react-router';

const pathOf = ({ pathname }: { pathname: string }): string => pathname;

/** Path of the address. Its query changes with every filter and every alert that is opened: what asks for the path alone is not rendered for that. */
export const usePathname = (): string => useLocation({ select: pathOf });
