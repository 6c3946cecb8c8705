import '../../../runtime/cell/cell.css'
import type { Mark } from './types'

const COLOURS = ['blue', 'cyan', 'green', 'gold', 'orange', 'red', 'purple', 'magenta', 'volcano', 'lime', 'geekblue']

/** A mark as a tag of its colour; one that is gone shows nothing. */
export const Label = ({ mark }: { mark: Mark | undefined }) =>
  mark ? <span className={`sb-tag sb-tag-${COLOURS.includes(mark.colour) ? mark.colour : 'default'}`}>{mark.name}</span> : null
