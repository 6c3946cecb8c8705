/** Rows drawn above and below what is seen, so that scrolling meets drawn rows. */
const AHEAD = 10
/** The window moves in steps, so that scrolling by a pixel draws nothing. */
const STEP = 5

/** More rows than this are windowed. */
export const VIRTUAL_ROWS = 200

/** First and last + 1 index of the rows to draw. */
export interface RowWindow {
  start: number
  end: number
}

/** Which rows to draw for a scroll position; pure. Heights in pixels; `count` is the number of rows. */
export const rowWindow = (top: number, height: number, rowHeight: number, count: number): RowWindow => {
  const first = Math.floor(Math.max(0, top) / rowHeight / STEP) * STEP
  const seen = Math.ceil(height / rowHeight) + STEP
  return { start: Math.max(0, Math.min(first - AHEAD, count - seen)), end: Math.min(count, first + seen + AHEAD) }
}
