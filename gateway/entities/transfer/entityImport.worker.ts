import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { readCsv } from './readCsv'
import { readXlsx } from './readXlsx'
import { FileRefusedError, type FileRow, type ReaderMessage, type ReaderRequest } from './sheetRows'

/** Reads an uploaded table off the main thread; see sheetReader.ts for the other end. */
const BATCH = 500
const port = parentPort!
const request = workerData as ReaderRequest

/** The part of the file that was read; null before a reader has said so. */
let read: number | null = null
const onRead = (fraction: number): void => {
  read = fraction
}

const send = (message: ReaderMessage): void => port.postMessage(message)

/** Sends rows and waits until they were taken. */
async function sendRows(rows: FileRow[]): Promise<void> {
  const taken = new Promise((resolve) => port.once('message', resolve))
  send({ type: 'rows', rows, read })
  await taken
}

async function rowsOf(): Promise<AsyncGenerator<FileRow>> {
  const file = await open(request.path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0).finally(() => file.close())
  if (bytesRead === 0) throw new FileRefusedError({ zh: '文件是空的。', en: 'The file is empty.' })
  if (buffer.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]))) return readXlsx(request, onRead)
  if (buffer.equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]))) {
    throw new FileRefusedError({
      zh: '这是旧版 xls 文件或加密的工作簿，请另存为不加密的 xlsx。',
      en: 'This is an old xls file or an encrypted workbook. Please save it as xlsx without a password.',
    })
  }
  return readCsv(request, onRead)
}

try {
  let batch: FileRow[] = []
  for await (const row of await rowsOf()) {
    batch.push(row)
    if (batch.length < BATCH) continue
    await sendRows(batch)
    batch = []
  }
  if (batch.length > 0) await sendRows(batch)
  send({ type: 'done' })
} catch (error) {
  if (!(error instanceof FileRefusedError)) throw error
  send({ type: 'refused', text: error.text })
}
