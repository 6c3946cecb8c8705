import { createContext, use, type ComponentProps } from 'react'

/** The texts of a picker's boxes that could not be read, in their order; undefined for a box whose value is a moment. */
export const KeptTexts = createContext<readonly (string | undefined)[]>([])

/** The box of a picker: the picker itself empties it where its value is no moment; what was typed stays in it. */
const Box = ({ value, ...rest }: ComponentProps<'input'> & { 'date-range'?: 'start' | 'end' }) => {
  const kept = use(KeptTexts)[rest['date-range'] === 'end' ? 1 : 0]
  return <input {...rest} value={kept ?? value} />
}

export const KEPT_TEXT = { input: Box }
