import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { ConversationStore } from '../chat/conversationStore'

/** As near to the end somebody reads the end, px. */
const NEAR_END = 32
/** R413 */
const NEAR_TOP = 50

interface Following {
  frame: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  onScroll: () => void
  /** Whether the end is out of sight. */
  isAway: boolean
  toLatest: () => void
}

/**
 * Keeps the end of a growing conversation in sight for whoever reads there, and every other place where it is, also when older messages
 * come above it (R345, R413) or the conversation is opened again.
 */
export function useFollowing(conversation: ConversationStore): Following {
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isAway, setIsAway] = useState(conversation.scrolled !== null)
  const { messageData, history, hasMore } = conversation
  const first = messageData[0]?.key
  const lastAsked = messageData.at(-1)?.key
  /** Height of the content when it was last looked at, with what came first then. */
  const before = useRef<{ first: string | undefined; height: number }>({ first, height: 0 })

  const toEnd = useCallback(() => {
    const element = frame.current
    if (element) element.scrollTop = element.scrollHeight
    conversation.scrolled = null
    setIsAway(false)
  }, [conversation])

  const onScroll = useCallback(() => {
    const element = frame.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    const away = scrollHeight - scrollTop - clientHeight > NEAR_END
    conversation.scrolled = away ? scrollTop : null
    setIsAway(away)
    if (scrollTop < NEAR_TOP && conversation.hasMore && conversation.history === 'loaded') void conversation.load(true)
  }, [conversation])

  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const { first: formerFirst, height } = before.current
    if (formerFirst !== undefined && formerFirst !== first) element.scrollTop += element.scrollHeight - height
    before.current = { first, height: element.scrollHeight }
  })

  // back where it was left
  useLayoutEffect(() => {
    const element = frame.current
    if (element) element.scrollTop = conversation.scrolled ?? element.scrollHeight
  }, [conversation])

  // whoever asks wants to see the answer
  const asked = useRef(lastAsked)
  useLayoutEffect(() => {
    if (asked.current !== lastAsked) toEnd()
    asked.current = lastAsked
  }, [lastAsked, toEnd])

  useEffect(() => {
    const element = content.current
    if (!element) return
    const sizes = new ResizeObserver(() => {
      if (conversation.scrolled === null) toEnd()
      if (frame.current) before.current.height = frame.current.scrollHeight
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [conversation, toEnd])

  // fewer messages than the panel has room for
  useEffect(() => {
    const element = frame.current
    if (element && hasMore && history === 'loaded' && element.scrollHeight <= element.clientHeight) void conversation.load(true)
  }, [conversation, hasMore, history, messageData])

  return { frame, content, onScroll, isAway, toLatest: toEnd }
}
