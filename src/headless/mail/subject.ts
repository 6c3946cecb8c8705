/** Words that mail programs of different languages put before the subject of an answer or of what they pass on. */
const PREFIX =
  /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|antw|tr|rv|enc|r|i|回复|回覆|答复|答覆|转发|轉發|轉寄)(?:\s*[[(]\d{1,3}[\])]|\s*\^\d{1,3})?\s*[:：])+\s*/iu

/** The subject without such words: what a conversation is about. */
export function bareSubject(subject: string): string {
  let bare = subject
  for (;;) {
    const less = bare.replace(PREFIX, '')
    if (less === bare) return bare.trim()
    bare = less
  }
}

type Locale = 'zh' | 'en'

/** The subject of an answer: one prefix, in the language of the writer's interface, however many there were. */
export const replySubject = (subject: string, locale: Locale): string =>
  `${locale === 'zh' ? '回复：' : 'Re: '}${bareSubject(subject)}`

/** The subject of what is passed on. */
export const forwardSubject = (subject: string, locale: Locale): string =>
  `${locale === 'zh' ? '转发：' : 'Fwd: '}${bareSubject(subject)}`
