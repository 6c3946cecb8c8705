/** Milliseconds between the two tries: long enough for a network that changes over. */
const PAUSE = 400

const MESSAGES = {
  zh: '程序的一部分没有加载成功：网络中断，或系统已升级、旧版本的文件已不在。请重试；仍不成功时请刷新页面。',
  en: 'A part of the program could not be loaded: the network failed, or a new version was installed and the old files are gone. Try again; if that does not help, reload the page.',
}

/** The language that the page is shown in: a part may be missing where no component tells it. */
export const shownLanguage = (): 'zh' | 'en' =>
  typeof document !== 'undefined' && document.documentElement.lang.startsWith('en') ? 'en' : 'zh'

/** Told to the window when a part did not arrive at the second try either: the shell offers to reload. */
export const PART_MISSING = 'switchboard:partMissing'

/** A part of the program that did not arrive. Its message is for people; `cause` is what the browser said. */
export class PartError extends Error {
  override readonly name = 'PartError'
  constructor(cause: unknown) {
    super(MESSAGES[shownLanguage()], { cause })
  }
}

/** A module that is undefined was not loaded either: that is how the bundler answers when somebody took the failure over. */
const arrived = async <T>(load: () => Promise<T>): Promise<T> => {
  const part = await load()
  if (part === undefined) throw new Error('The module is empty.')
  return part
}

/** The address of a module that did not arrive, as browsers name it in their error. */
const ADDRESS = /https?:\/\/\S+\.js$/

/**
 * The second try. Browsers remember that a module did not arrive and ask for its address no more, so it gets another one; what is no
 * module with a default export, or is not named by the error, is asked for as before.
 */
const arrivedAnew = async <T>(load: () => Promise<T>, failure: unknown): Promise<T> => {
  const address = failure instanceof Error ? ADDRESS.exec(failure.message)?.[0] : undefined
  if (address === undefined) return arrived(load)
  const part = (await import(/* @vite-ignore */ `${address}?again=${Date.now()}`)) as object
  return 'default' in part ? (part as T) : arrived(load)
}

/**
 * Every `import()` of the portal goes through here (`lazyPart` for components): tried once more after a failure, then a `PartError`.
 * A later call begins anew.
 */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  let failure: unknown
  try {
    return await arrived(load)
  } catch (error) {
    failure = error
    await new Promise((wake) => setTimeout(wake, PAUSE))
  }
  try {
    return await arrivedAnew(load, failure)
  } catch (error) {
    if (typeof window !== 'undefined') window.dispatchEvent(new Event(PART_MISSING))
    throw new PartError(error)
  }
}
