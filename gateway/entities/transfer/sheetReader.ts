import { startWorker } from '../../platform/lifecycle'
import { FileRefusedError, type FileRow, type ReaderMessage, type ReaderRequest } from './sheetRows'

/** Megabytes that reading one file may take. */
const MEMORY = 512

/**
 * Reads an uploaded table in a worker thread and hands its rows over in batches; the next batch is read when this one was
 * taken. `read` is the part of the file behind them, 0 to 1. @throws FileRefusedError when the file cannot be imported.
 */
export async function readSheet(
  request: ReaderRequest,
  take: (rows: FileRow[], read: number | null) => Promise<void>,
): Promise<void> {
  const worker = startWorker(import.meta.url, './entityImport.worker.ts', {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
      )
      worker.once('exit', () => reject(new Error('The reading worker ended before the file did.')))
      worker.on('message', (message: ReaderMessage) => {
        if (message.type === 'done') resolve()
        else if (message.type === 'refused') reject(new FileRefusedError(message.text))
        else take(message.rows, message.read).then(() => worker.postMessage('taken'), reject)
      })
    })
  } finally {
    await worker.terminate()
  }
}

function tooLarge(): FileRefusedError {
  return new FileRefusedError({
    zh: '文件内容过大，无法读取，请拆分后导入。',
    en: 'The content of the file is too large to read. Please split it.',
  })
}
