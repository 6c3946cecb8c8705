import { collectStream, Output, XlsxWriter } from '../../../entities'
import type { DemoFile } from './letters'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A workbook with one sheet. */
export async function workbook(name: string, titles: readonly string[], rows: readonly (readonly string[])[]): Promise<DemoFile> {
  const content = await collectStream(async (stream) => {
    const output = new Output(stream)
    const writer = new XlsxWriter(output, { name: 'Rates', widths: titles.map(() => 18) })
    await writer.start(titles)
    await writer.rows(rows.map((row) => row.map((value) => ({ type: 'text' as const, value }))))
    await writer.finish()
    await output.end()
  })
  return { name, type: XLSX, content }
}

const escaped = (text: string): string => text.replace(/[^\x20-\x7e]/gu, '?').replace(/[\\()]/gu, (sign) => `\\${sign}`)

/** A page of lines as PDF. */
export function page(name: string, lines: readonly string[]): DemoFile {
  const text = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const drawn = `BT /F1 12 Tf 18 TL 72 760 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(start).padStart(10, '0')
  })
  const table = ['0000000000 65535 f ', ...starts.map((start) => `${start} 00000 n `)].join('\n')
  const tableAt = pdf.length
  pdf += `xref\n0 ${objects.length + 1}\n${table}\ntrailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableAt}\n%%EOF\n`
  return { name, type: 'application/pdf', content: Buffer.from(pdf, 'latin1') }
}
