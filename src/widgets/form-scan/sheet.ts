import { strFromU8, unzip } from 'fflate'

/** The most characters that a part of a workbook may unpack to. */
const LARGEST = 60_000_000

/** Thrown for a file that holds no table that can be read. */
export class UnreadableFile extends Error {}

const opened = (data: Uint8Array): Promise<Record<string, Uint8Array>> =>
  new Promise((resolve, reject) =>
    unzip(
      data,
      {
        filter: ({ name, originalSize }) =>
          /^xl\/(?:sharedStrings|worksheets\/sheet1)\.xml$/.test(name) && originalSize <= LARGEST,
      },
      (error, parts) => (error ? reject(new UnreadableFile(error.message)) : resolve(parts)),
    ),
  )

const parsed = (part: Uint8Array): Document => new DOMParser().parseFromString(strFromU8(part), 'application/xml')
const textOf = (element: Element): string => [...element.getElementsByTagName('t')].map((one) => one.textContent).join('')

/** The first two columns of the first sheet of a workbook, a line a row. */
async function readBook(data: Uint8Array): Promise<string> {
  const parts = await opened(data)
  const sheet = parts['xl/worksheets/sheet1.xml']
  if (!sheet) throw new UnreadableFile('The workbook has no first sheet.')
  const shared = parts['xl/sharedStrings.xml']
  const strings = shared ? [...parsed(shared).getElementsByTagName('si')].map(textOf) : []
  const lines: string[] = []
  for (const row of parsed(sheet).getElementsByTagName('row')) {
    const cells = [...row.getElementsByTagName('c')].slice(0, 2).map((cell) => {
      const kind = cell.getAttribute('t')
      if (kind === 'inlineStr') return textOf(cell)
      const value = cell.getElementsByTagName('v')[0]?.textContent ?? ''
      return kind === 's' ? (strings[Number(value)] ?? '') : value
    })
    lines.push(cells.join(' ').trim())
  }
  return lines.join('\n')
}

const HEADER = /^"?(?:serial|sn\b|序列号|s\/n)/i

/** Serial numbers and MACs of a CSV, text or XLSX file, a line a row; a first line that names its columns is left empty. */
export async function readFile(file: Blob): Promise<string> {
  const data = new Uint8Array(await file.arrayBuffer())
  const zipped = data[0] === 0x50 && data[1] === 0x4b
  const text = zipped
    ? await readBook(data)
    : new TextDecoder()
        .decode(data)
        .replaceAll('"', '')
        .replace(/^\ufeff/, '')
  const [first = ''] = text.split('\n', 1)
  return HEADER.test(first) ? text.slice(first.length) : text
}
