import './cell.css'
import './kinds'

export { cellNames, registerCell, type Cell, type CellContext, type CellItem } from './cell'
export { dialled } from './dial'
export { openLinks } from './links'
export { showPlain } from '../../headless/plain'
export { useReadyFormats } from './useReadyFormats'
export { compileCell, readPath, Dash } from './render'
