/** Classes of the place beside an alert's words in which its outline is drawn. */
export const DRAWING_PLACE = 'landing-grid relative shrink-0 border-line max-sm:border-b sm:w-60 sm:border-r';
