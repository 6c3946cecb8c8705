import type { ComposedFile } from './compose'
import { attachmentsOf } from './read'

/** The files of a message, in the order in which it names them. */
export async function filesIn(raw: Buffer, count: number): Promise<ComposedFile[]> {
  return (await attachmentsOf(raw)).slice(0, count).map((file, index) => ({
    name: file.filename ?? `file-${index + 1}`,
    type: file.contentType,
    content: file.content,
    ...(file.related && file.cid ? { contentId: file.cid } : {}),
  }))
}

/** A whole message as a file. */
export const wholeFile = (subject: string, raw: Buffer): ComposedFile => ({
  ...{ name: `${subject || 'mail'}.eml`, type: 'message/rfc822', content: raw },
})
