import PDFDocument from 'pdfkit'
import type { PaperContent, PaperTableContent } from './content'
import type { Face } from './faces'
import { linesOf, type Line } from './text'

const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 46
const WIDE = PAGE.width - 2 * MARGIN
/** Above the foot. */
const BOTTOM = PAGE.height - 58
const SMALL = 7.5
const NORMAL = 8.5
const LEADING = 1.42
const INK = '#1f1f1f'
const QUIET = '#6b6b6b'
const RULE = '#d0d0d0'

interface Style {
  size?: number
  strong?: boolean
  color?: string
  right?: boolean
}

/**
 * Draws a paper as PDF: A4, paged, with the number of pages at every foot; the head of a table stands on each of its pages. Texts are
 * texts, so that they can be copied. Answers its bytes.
 */
export async function drawPaper(content: PaperContent): Promise<Buffer> {
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    bufferPages: true,
    font: '',
    info: { Title: `${content.title.replace('\n', ' ')} ${content.number}`, CreationDate: new Date(content.madeAt) },
  })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  await new Sheet(doc).whole(content)
  doc.end()
  return done
}

class Sheet {
  private y = MARGIN
  private readonly named = new Set<string>()

  constructor(private readonly doc: PDFKit.PDFDocument) {}

  async whole(content: PaperContent): Promise<void> {
    await this.head(content)
    await this.parties(content)
    for (const table of content.tables) await this.table(table)
    await this.totals(content)
    await this.bank(content)
    for (const note of content.notes) await this.paragraph(note)
    await this.feet(content)
  }

  private line({ runs, width }: Line, x: number, y: number, style: Required<Style>, room: number): void {
    const { doc } = this
    let at = style.right ? x + room - width : x
    doc.fillColor(style.color).strokeColor(style.color)
    if (style.strong) doc.lineWidth(style.size * 0.032)
    for (const run of runs) {
      this.use(run.face, style.size)
      if (run.stands !== undefined) doc.markContent('Span', { actual: run.stands })
      doc.text(run.text, at, y, { lineBreak: false, fill: true, stroke: style.strong })
      if (run.stands !== undefined) doc.endMarkedContent()
      at += run.width
    }
  }

  /** A font that is named is embedded once. */
  private use({ id, font }: Face, size: number): void {
    if (!this.named.has(id)) this.doc.registerFont(id, font as unknown as Buffer)
    this.named.add(id)
    this.doc.font(id).fontSize(size)
  }

  /** Writes a text in a box as wide as `room`; answers how high it is. */
  private async write(text: string, x: number, y: number, room: number, style: Style = {}): Promise<number> {
    const whole = { size: NORMAL, strong: false, color: INK, right: false, ...style }
    const lines = await linesOf(text, whole.size, room)
    lines.forEach((line, index) => this.line(line, x, y + index * whole.size * LEADING, whole, room))
    return lines.length * whole.size * LEADING
  }

  private async height(text: string, room: number, size = NORMAL): Promise<number> {
    return (await linesOf(text, size, room)).length * size * LEADING
  }

  private rule(
    y: number,
    { from = MARGIN, width = WIDE, color = RULE }: { from?: number; width?: number; color?: string } = {},
  ): void {
    this.doc.lineWidth(0.6).strokeColor(color)
    this.doc
      .moveTo(from, y)
      .lineTo(from + width, y)
      .stroke()
  }

  /** Begins a page where less than `height` is left. */
  private need(height: number): boolean {
    if (this.y + height <= BOTTOM) return false
    this.doc.addPage({ size: [PAGE.width, PAGE.height], margin: 0 })
    this.y = MARGIN
    return true
  }

  private async head({ letterhead, title, number }: PaperContent): Promise<void> {
    const half = WIDE * 0.56
    let left = MARGIN
    left += await this.write(letterhead.name, MARGIN, left, half, { size: 12, strong: true })
    for (const line of letterhead.lines) left += await this.write(line, MARGIN, left + 1, half, { size: SMALL, color: QUIET })
    let right = MARGIN
    const [from, room] = [MARGIN + half, WIDE - half]
    right += await this.write(title, from, right, room, { size: 16, strong: true, right: true })
    right += await this.write(number, from, right + 2, room, { size: 10, right: true })
    this.y = Math.max(left, right) + 10
    this.rule(this.y, { color: INK })
    this.y += 12
  }

  private async parties({ parties, facts }: PaperContent): Promise<void> {
    const [half, gap] = [WIDE * 0.5, 16]
    let left = this.y
    for (const { title, lines } of parties) {
      left += await this.write(title, MARGIN, left, half - gap, { size: SMALL, color: QUIET })
      for (const [index, line] of lines.entries())
        left += await this.write(line, MARGIN, left + 1, half - gap, { strong: index === 0, size: index === 0 ? 10 : NORMAL })
      left += 8
    }
    let right = this.y
    for (const { label, value } of facts) {
      const [a, b] = [half * 0.5, half * 0.5]
      const high = Math.max(
        await this.write(label, MARGIN + half, right, a - 8, { size: SMALL, color: QUIET }),
        await this.write(value, MARGIN + half + a, right, b, { right: true }),
      )
      right += high + 1.5
    }
    this.y = Math.max(left, right) + 8
  }

  private async table({ title, columns, groups, sums, sumLabel }: PaperTableContent): Promise<void> {
    const shares = columns.reduce((sum, { width }) => sum + width, 0)
    const widths = columns.map(({ width }) => (WIDE * width) / shares)
    const xs = widths.map((_, index) => MARGIN + widths.slice(0, index).reduce((sum, width) => sum + width, 0))
    const cells = async (texts: readonly string[], style: Style): Promise<number> => {
      const size = style.size ?? NORMAL
      let high = 0
      for (const [index, text] of texts.entries())
        if (text !== '')
          high = Math.max(
            high,
            await this.write(text, xs[index]! + 3, this.y, widths[index]! - 6, { ...style, size, right: columns[index]!.right }),
          )
      return high
    }
    const heightOf = async (texts: readonly string[], size = NORMAL): Promise<number> =>
      Math.max(size * LEADING, ...(await Promise.all(texts.map((text, index) => this.height(text, widths[index]! - 6, size)))))
    const head = async (): Promise<void> => {
      this.y += 3
      const high = await cells(
        columns.map((column) => column.title),
        { size: SMALL, color: QUIET },
      )
      this.y += high + 2
      this.rule(this.y)
      this.y += 3
    }
    if (title !== null) {
      this.need(60)
      this.y += (await this.write(title, MARGIN, this.y, WIDE, { size: 10, strong: true })) + 2
    }
    this.need(54)
    await head()
    const room = async (height: number): Promise<void> => {
      if (this.need(height)) await head()
    }
    /** A row of sums: its label takes the columns before the first sum. */
    const summed = async (label: string, texts: readonly string[], style: Style): Promise<void> => {
      const first = texts.findIndex((text) => text !== '')
      const before = first <= 0 ? widths[0]! : widths.slice(0, first).reduce((sum, width) => sum + width, 0)
      const high = Math.max(await this.write(label, MARGIN + 3, this.y, before - 6, style), await cells(texts, style))
      this.y += high + 3
    }
    for (const group of groups) {
      const [first = []] = group.rows
      const one = await heightOf(first)
      if (group.title !== null) {
        await room(NORMAL * LEADING + one + 8)
        this.y += 2
        if (group.sums) await summed(group.title, group.sums, { strong: true })
        else this.y += (await this.write(group.title, MARGIN + 3, this.y, WIDE - 6, { strong: true })) + 3
      }
      for (const row of group.rows) {
        await room((await heightOf(row)) + 3)
        this.y += (await cells(row, {})) + 2
      }
    }
    this.rule(this.y)
    this.y += 4
    if (sums) {
      await room(NORMAL * LEADING + 6)
      await summed(sumLabel, sums, { strong: true })
    }
    this.y += 6
  }

  private async totals({ totals }: PaperContent): Promise<void> {
    if (totals.length === 0) return
    const width = WIDE * 0.5
    const from = MARGIN + WIDE - width
    const sizeOf = (strong: boolean): number => (strong ? 10 : NORMAL)
    const high = totals.reduce((sum, { strong }) => sum + sizeOf(strong) * LEADING + 4, 0)
    this.need(high)
    for (const { label, value, strong } of totals) {
      if (strong) {
        this.rule(this.y, { from, width })
        this.y += 3
      }
      const style = { size: sizeOf(strong), strong }
      const rows = [
        await this.write(label, from, this.y, width * 0.5, style),
        await this.write(value, from + width * 0.5, this.y, width * 0.5, { ...style, right: true }),
      ]
      this.y += Math.max(...rows) + 2
    }
    this.y += 10
  }

  private async bank({ bank }: PaperContent): Promise<void> {
    if (!bank) return
    this.need(SMALL * LEADING * ((bank.accounts[0]?.length ?? 0) + 2))
    this.y += (await this.write(bank.title, MARGIN, this.y, WIDE, { strong: true })) + 2
    for (const account of bank.accounts) {
      this.need(SMALL * LEADING * account.length)
      for (const { label, value } of account) {
        const high = Math.max(
          await this.write(label, MARGIN, this.y, 110, { size: SMALL, color: QUIET }),
          await this.write(value, MARGIN + 116, this.y, WIDE - 116, { size: SMALL }),
        )
        this.y += high + 0.5
      }
      this.y += 6
    }
  }

  private async paragraph(text: string): Promise<void> {
    this.need(await this.height(text, WIDE, SMALL))
    this.y += (await this.write(text, MARGIN, this.y, WIDE, { size: SMALL, color: QUIET })) + 3
  }

  private async feet({ number, letterhead, pageWords }: PaperContent): Promise<void> {
    const { start, count } = this.doc.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.doc.switchToPage(start + page)
      const y = PAGE.height - 40
      this.rule(y - 6)
      await this.write([letterhead.name, number].filter((part) => part !== '').join(' · '), MARGIN, y, WIDE * 0.7, {
        size: SMALL,
        color: QUIET,
      })
      const words = pageWords.replaceAll('{page}', String(page + 1)).replaceAll('{pages}', String(count))
      await this.write(words, MARGIN + WIDE * 0.7, y, WIDE * 0.3, { size: SMALL, color: QUIET, right: true })
    }
  }
}
