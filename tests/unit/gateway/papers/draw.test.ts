import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import type { PaperContent } from '../../../../gateway/papers/content'
import { drawPaper } from '../../../../gateway/papers/draw'

const content: PaperContent = {
  title: '账单\nInvoice',
  number: 'ZD202611010001',
  letterhead: { name: '星桥通信（香港）有限公司', lines: ['Switchboard (HK) Ltd.', '12 Harbour Road, Wan Chai'] },
  parties: [{ title: '客户 Bill to', lines: ['㛃𠮷贸易 Trading', '杭州市西湖区文三路'] }],
  facts: [{ label: '到期日 Due', value: '2026-12-15' }],
  tables: [
    {
      title: null,
      columns: [
        { title: '产品\nProduct', right: false, width: 2 },
        { title: '数量\nUnits', right: true, width: 1 },
        { title: '金额\nAmount (USD)', right: true, width: 1 },
      ],
      groups: [{ title: '德国 Germany', rows: [['短信 SMS', '1,000', '35.00']], sums: ['', '1,000', '35.00'] }],
      sums: ['', '1,000', '35.00'],
      sumLabel: '合计 Total',
    },
  ],
  totals: [{ label: '应付金额 Amount due', value: '35.00 USD', strong: true }],
  bank: { title: '收款账户 Bank details', accounts: [[{ label: '账号', value: '012-345-6789' }]] },
  notes: ['请于 2026-12-15 前付款。\nPlease pay by 2026-12-15.'],
  pageWords: '第 {page} / {pages} 页 · Page {page} of {pages}',
  madeAt: '2026-11-01T00:00:00.000Z',
}

const readBack = async (paper: PaperContent): Promise<{ pages: string[]; bytes: Buffer }> => {
  const bytes = await drawPaper(paper)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false })
  // (a reader may part the runs of one line)
  return { bytes, pages: text.map((page) => page.replace(/\s+/g, '')) }
}

describe('a paper as PDF', () => {
  it('is one page with what stands on it in both languages, and can be copied', async () => {
    const { pages, bytes } = await readBack(content)
    expect(pages).toHaveLength(1)
    for (const said of [
      '账单',
      'Invoice',
      'ZD202611010001',
      '星桥通信（香港）有限公司',
      '德国Germany',
      '35.00',
      '应付金额Amountdue',
      '35.00USD',
      '012-345-6789',
      '第1/1页·Page1of1',
    ])
      expect(pages[0]).toContain(said)
    expect(bytes.length).toBeLessThan(100_000)
  })

  it('draws the number of a character that the face lacks, never a box', async () => {
    const { pages } = await readBack({ ...content, tables: [] })
    expect(pages[0]).toContain('[U+36C3][U+20BB7]贸易Trading')
  })

  it('goes on over pages with the head of the table and the number of pages on each, within 200 kB for 200 lines', async () => {
    const [table] = content.tables
    const rows = Array.from({ length: 200 }, (_, index) => [`短信 SMS ${index}`, String(index), `${index}.00`])
    const { pages, bytes } = await readBack({
      ...content,
      tables: [{ ...table!, groups: [{ title: '德国 Germany', rows, sums: null }] }],
    })
    expect(pages.length).toBeGreaterThan(2)
    const whole = pages.join('')
    for (const index of rows.keys()) expect(whole).toContain(`短信SMS${index}${index}${index}.00`)
    pages.forEach((page, index) => expect(page).toContain(`Page${index + 1}of${pages.length}`))
    for (const page of pages.slice(0, -1)) expect(page).toContain('Amount(USD)')
    expect(bytes.length).toBeLessThan(200_000)
  })
})
