/**
 * A block of cells as Excel, WPS and Google Sheets put it on the clipboard: rows end with a line break, cells with a tab; a
 * cell with either in it stands in quotes, and a quote in it is doubled. Pure.
 *
 * @example parseBlock('a\tb\n"c\nd"\te') // [['a', 'b'], ['c\nd', 'e']]
 */
export const parseBlock = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let started = false
  const endCell = (): void => {
    row.push(cell)
    cell = ''
    started = false
  }
  const endRow = (): void => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (quoted) {
      if (char !== '"') cell += char
      else if (text[index + 1] === '"') {
        cell += '"'
        index += 1
      } else quoted = false
    } else if (char === '"' && !started) {
      quoted = true
      started = true
    } else if (char === '\t') endCell()
    else if (char === '\r' && text[index + 1] === '\n') continue
    else if (char === '\n' || char === '\r') endRow()
    else {
      cell += char
      started = true
    }
  }
  // a block ends with a line break; without one the last row is still open
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** True when pasted text is a block and not the content of one cell. */
export const isBlock = (text: string): boolean => {
  const rows = parseBlock(text)
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1
}
