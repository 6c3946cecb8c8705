/** Finds words in texts as people write around filters; which words there are is told by whoever asks. */
export { findHits, wordFault, type Word } from './match'
