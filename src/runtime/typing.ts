/** A key, as React or the browser tells it. */
interface Key {
  key: string
  shiftKey?: boolean
  nativeEvent?: { isComposing?: boolean; keyCode?: number }
  isComposing?: boolean
  keyCode?: number
}

/** What browsers say of keys that an input method has taken; Safari's Enter that ends a composition comes after it and is told by nothing else. */
const TAKEN = 229

/** Whether a key belongs to an input method: it chooses a word, and is no command. */
export const isComposing = (event: Key): boolean => {
  const native = event.nativeEvent ?? event
  return native.isComposing === true || native.keyCode === TAKEN
}

/** Enter that a person means, not one that ends a composition. The only place that decides it. */
export const isEnter = (event: Key): boolean => event.key === 'Enter' && !isComposing(event)

/** Ctrl or Cmd with Enter: what is written is done, also out of a text of several lines. */
export const isSend = (event: Key & { ctrlKey: boolean; metaKey: boolean }): boolean =>
  isEnter(event) && (event.ctrlKey || event.metaKey)

/** A handler of keys that does something at Enter. */
export const onEnter =
  <Event extends Key>(run: (event: Event) => void) =>
  (event: Event): void => {
    if (isEnter(event)) run(event)
  }
