import type { Fault } from './pieces'

interface Texts {
  open: string
  title: string
  scan: string
  hint: string
  undo: string
  file: string
  done: string
  remove: string
  copy: string
  ready: string
  checking(percent: number): string
  count(have: number, wanted: string): string
  taken(text: string): string
  nowMac(serial: string): string
  undone(text: string): string
  added(count: number, refused: number): string
  more(count: number): string
  noProduct: string
  unreadable: string
  failed: string
  line: string
  latest: string
  refused: string
  faults: Record<Fault, (text: string, other: string) => string>
}

export const TEXTS: Record<'zh' | 'en', Texts> = {
  zh: {
    open: '扫描',
    title: '扫描序列号',
    scan: '序列号或MAC，回车确认',
    hint: '扫描枪逐件扫描，可粘贴多行，或选择 CSV、XLSX 文件（序列号、MAC 两列）。',
    undo: '撤销上一件',
    file: '选择文件',
    done: '完成',
    remove: '移除',
    copy: '复制错误',
    ready: '请扫描',
    checking: (percent) => `正在核对 ${percent}%`,
    count: (have, wanted) => (wanted === '' ? `${have} 件` : `${have} / ${wanted} 件`),
    taken: (text) => `已扫描 ${text}`,
    nowMac: (serial) => `序列号 ${serial} 已扫描，请再扫描它的 MAC`,
    undone: (text) => `已撤销 ${text}`,
    added: (count, refused) => `已加入 ${count} 件，${refused} 件有误`,
    more: (count) => `另有 ${count} 条`,
    noProduct: '请先选择产品和仓库。',
    unreadable: '无法读取该文件，请使用 CSV 或 XLSX。',
    failed: '核对失败，这些序列号没有加入，请重试。',
    line: '行',
    latest: '最近扫描',
    refused: '有误',
    faults: {
      mac: (text) => `${text}：MAC地址不正确`,
      noMac: (text) => `${text}：缺少MAC地址`,
      twice: (text) => `${text}：重复`,
      registered: (text, other) => `${text}：已登记（${other}），不能再次入库`,
      inStock: (text, other) => `${text}：已在库（${other}）`,
      unknown: (text) => `${text}：没有该设备`,
      elsewhere: (text, other) => `${text}：在其他仓库（${other}）`,
      gone: (text, other) => `${text}：不在库（${other}）`,
      otherProduct: (text, other) => `${text}：是另一产品（${other}）`,
    },
  },
  en: {
    open: 'Scan',
    title: 'Scan serial numbers',
    scan: 'Serial number or MAC, then Enter',
    hint: 'Scan one by one, paste several lines, or choose a CSV or XLSX file (two columns: serial number, MAC).',
    undo: 'Undo the last',
    file: 'Choose a file',
    done: 'Done',
    remove: 'Remove',
    copy: 'Copy the errors',
    ready: 'Ready to scan',
    checking: (percent) => `Checking ${percent}%`,
    count: (have, wanted) => (wanted === '' ? `${have} pieces` : `${have} / ${wanted} pieces`),
    nowMac: (serial) => `Serial number ${serial} is scanned: now scan its MAC`,
    taken: (text) => `Scanned ${text}`,
    undone: (text) => `Undid ${text}`,
    added: (count, refused) => `${count} added, ${refused} refused`,
    more: (count) => `${count} more`,
    noProduct: 'Choose the product and the warehouse first.',
    unreadable: 'This file cannot be read. Use CSV or XLSX.',
    failed: 'They could not be checked, so none was added. Try again.',
    line: 'Line',
    latest: 'Last scanned',
    refused: 'Refused',
    faults: {
      mac: (text) => `${text}: no MAC address of one device`,
      noMac: (text) => `${text}: the MAC address is missing`,
      twice: (text) => `${text}: scanned already`,
      registered: (text, other) => `${text}: registered already (${other}), it cannot come in again`,
      inStock: (text, other) => `${text}: in stock already (${other})`,
      unknown: (text) => `${text}: no such device`,
      elsewhere: (text, other) => `${text}: in another warehouse (${other})`,
      gone: (text, other) => `${text}: not in stock (${other})`,
      otherProduct: (text, other) => `${text}: another product (${other})`,
    },
  },
}
