/** Strokes on a ground of 48 by 32: lines, lines in the colour of the theme, and what is filled with it. */
interface Shapes {
  line?: string
  accent?: string
  solid?: string
}

const box = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`
const bar = (x: number, y: number, width: number): string => `M${x} ${y}h${width}`
const ring = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
const star = (x: number, y: number): string => `M${x} ${y - 5}l1.5 3.4 3.6.3-2.7 2.4.8 3.6-3.2-1.9-3.2 1.9.8-3.6-2.7-2.4 3.6-.3z`
const plus = (x: number, y: number): string => `M${x - 3} ${y}h6M${x} ${y - 3}v6`
const down = (x: number, y: number): string => `M${x - 3} ${y - 1.5}l3 3 3-3`
const right = (x: number, y: number): string => `M${x - 1.5} ${y - 3}l3 3-3 3`
const tick = (x: number, y: number): string => `M${x - 3} ${y}l2 2.5 4-5`

const FIELD = box(4, 10, 40, 12)
const PAGE = box(4, 4, 40, 24)
const CALENDAR = `${box(8, 6, 32, 22)}${bar(8, 12, 32)}M16 3v5M32 3v5`
const RANGE = `${box(3, 10, 17, 12)}${box(28, 10, 17, 12)}`
const TABLE = `${box(4, 5, 40, 22)}${bar(4, 12, 40)}${bar(4, 19.5, 40)}M20 5v22`
const ROWS = `${box(4, 4, 40, 7)}${box(4, 14, 40, 7)}`
const TREE_LINES = 'M8 6v20M8 12h6M8 19h6M8 26h6'
const BINNED = 'M17 11h14M19 11l1 13h8l1-13M22 11V8h4v3'

const PICTURES: Readonly<Record<string, Shapes>> = {
  Input: { line: FIELD, accent: 'M9 13v6' },
  'Input.TextArea': { line: `${box(4, 5, 40, 22)}${bar(9, 15, 26)}${bar(9, 20, 18)}`, accent: bar(9, 10, 30) },
  Password: { line: FIELD, solid: [10, 16, 22, 28].map((x) => ring(x, 16, 1.6)).join('') },
  NumberPicker: {
    line: `${FIELD}M35 10v12M37 14.5l2.5-2 2.5 2M37 17.5l2.5 2 2.5-2`,
    accent: 'M10 14l2-1.5V19M17 13.5c3-2 5 1 0 5.5h5',
  },
  Rate: { line: star(38, 16), solid: star(10, 16) + star(24, 16) },
  Slider: { line: bar(24, 16, 20), accent: `${bar(4, 16, 16)}${ring(22, 16, 3)}` },
  Switch: { accent: 'M18 9h12a7 7 0 0 1 0 14H18a7 7 0 0 1 0-14z', solid: ring(30, 16, 4) },
  Upload: { line: 'M8 20v6h32v-6', accent: 'M24 20V6M19 11l5-5 5 5' },
  'PreviewText.Input': { line: `${bar(6, 9, 16)}`, accent: `${bar(6, 16, 34)}${bar(6, 22, 24)}` },
  Editable: { line: bar(6, 24, 24), accent: 'M28 20l1-4L38 7l3 3-9 9z' },
  'Editable.Popover': { line: `M6 4h36v18H26l-3 5-3-5H6z`, accent: `${bar(12, 10, 24)}${bar(12, 16, 16)}` },
  Select: { line: FIELD, accent: down(38, 16) },
  'Select:multiple': { line: `${FIELD}`, accent: `${box(8, 13, 9, 6)}${box(20, 13, 9, 6)}${down(38, 16)}` },
  'Radio.Group': { line: `${ring(10, 9, 4)}${ring(10, 23, 4)}${bar(19, 9, 22)}${bar(19, 23, 18)}`, solid: ring(10, 9, 1.8) },
  'Checkbox.Group': { line: `${box(6, 5, 8, 8)}${box(6, 19, 8, 8)}${bar(19, 9, 22)}${bar(19, 23, 18)}`, accent: tick(10, 9) },
  Checkbox: { line: `${box(8, 12, 8, 8)}${bar(21, 16, 20)}`, accent: tick(12, 16) },
  TreeSelect: { line: `${TREE_LINES}${bar(17, 12, 20)}${bar(17, 26, 14)}`, accent: bar(17, 19, 24) },
  Cascader: {
    line: `${box(4, 4, 19, 24)}${box(25, 4, 19, 24)}${bar(8, 20, 10)}${bar(29, 12, 10)}`,
    accent: `${bar(8, 12, 8)}${right(19, 12)}`,
  },
  Transfer: {
    line: `${box(4, 4, 15, 24)}${box(29, 4, 15, 24)}${bar(7, 10, 8)}${bar(32, 10, 8)}`,
    accent: `${right(24, 12)}M25.5 17l-3 3 3 3`,
  },
  SelectTable: { line: `${TABLE}`, accent: `${tick(12, 16)}${tick(12, 23)}` },
  DatePicker: { line: CALENDAR, solid: box(26, 20, 6, 4) },
  'DatePicker:time': { line: `${box(4, 6, 28, 22)}${bar(4, 12, 28)}M11 3v5M25 3v5`, accent: `${ring(35, 20, 8)}M35 15v5l4 2` },
  'DatePicker:week': { line: CALENDAR, accent: box(11, 18, 26, 5) },
  'DatePicker:month': { line: `${CALENDAR}M19 12v16M29 12v16${bar(8, 20, 32)}`, solid: box(20.5, 13.5, 7, 5) },
  'DatePicker:quarter': { line: `${CALENDAR}M24 12v16${bar(8, 20, 32)}`, solid: box(10, 14, 12, 4.5) },
  'DatePicker:year': { line: CALENDAR, accent: 'M13 17c3-2 5 1 0 6h5M21 17h4v6h-4zM29 17c3-2 5 1 0 6h5' },
  'DatePicker.RangePicker': { line: RANGE, accent: `${bar(6, 16, 8)}${bar(31, 16, 8)}M21 16h5${right(25.5, 16)}` },
  TimePicker: { line: ring(24, 16, 11), accent: 'M24 9v7l5 3' },
  'TimePicker.RangePicker': {
    line: `${ring(11, 16, 8)}${ring(37, 16, 8)}`,
    accent: `M11 11v5l3 2M37 11v5l3 2M21 16h5${right(25.5, 16)}`,
  },
  ArrayTable: { line: TABLE, accent: 'M33 5v22', solid: box(5, 6, 38, 5) },
  ArrayCards: { line: ROWS + bar(9, 7.5, 12), accent: plus(24, 26) },
  ArrayItems: {
    line: `${bar(14, 8, 28)}${bar(14, 16, 28)}`,
    accent: `${plus(28, 25)}`,
    solid: [8, 16].map((y) => ring(7, y, 1.4)).join(''),
  },
  ArrayCollapse: { line: ROWS, accent: `${down(9, 7.5)}${right(9, 17.5)}${plus(24, 26)}` },
  ArrayTabs: { line: `M4 11h40v17H4zM4 11V5h11v6M15 5h11v6`, accent: plus(33, 7) },
  Group: { line: `${box(6, 12, 16, 6)}${box(26, 12, 16, 6)}${box(6, 22, 16, 6)}`, accent: bar(6, 6, 18) },
  Card: { line: `${PAGE}${bar(4, 11, 40)}`, accent: bar(9, 7.5, 14) },
  FormTab: { line: `M4 12h40v16H4zM18 12V5h12v7`, accent: 'M5 12V5h13v7' },
  FormStep: { line: `${ring(24, 10, 5)}${ring(40, 10, 4)}M29 10h7${box(6, 20, 36, 8)}`, accent: `${ring(8, 10, 5)}M13 10h6` },
  FormCollapse: { line: `${box(4, 4, 40, 6)}${box(4, 10, 40, 11)}${box(4, 21, 40, 6)}`, accent: `${down(9, 7)}${right(9, 24)}` },
  FormGrid: { line: `${box(26, 5, 18, 9)}${box(4, 18, 18, 9)}${box(26, 18, 18, 9)}`, accent: box(4, 5, 18, 9) },
  FormLayout: { line: `${box(20, 5, 24, 8)}${box(20, 19, 24, 8)}`, accent: `${bar(5, 9, 11)}${bar(5, 23, 11)}` },
  Space: { line: `${box(4, 11, 11, 10)}${box(33, 11, 11, 10)}`, accent: box(18.5, 11, 11, 10) },
  FormItem: { line: box(4, 15, 40, 11), accent: bar(4, 8, 16) },
  FormDialog: { line: `${PAGE}${box(12, 9, 24, 14)}`, accent: `${bar(15, 13, 10)}M31 12l2 2m0-2l-2 2` },
  FormDrawer: { line: PAGE, accent: 'M28 4v24', solid: 'M29 5h14v22H29z' },
  Divider: { line: `${bar(8, 8, 32)}${bar(8, 24, 24)}`, accent: bar(4, 16, 40) },
  Note: { line: `${bar(16, 11, 26)}${bar(16, 17, 26)}${bar(16, 23, 16)}`, accent: 'M8 10v7', solid: ring(8, 22, 1.3) },
  FormButtonGroup: { line: box(26, 11, 18, 10), solid: box(4, 11, 18, 10) },
  Submit: { accent: tick(24, 16), line: box(8, 10, 32, 12) },
  Reset: { line: box(8, 10, 32, 12), accent: 'M20 14a5 5 0 1 1 0 4M20 12v3h3' },
  pane: { line: `${box(6, 12, 36, 16)}${box(12, 17, 24, 6)}`, accent: 'M6 12V5h14v7' },
  column: { line: TABLE, solid: box(21, 6, 22, 20) },
  Index: { accent: 'M20 8l-3 16M29 8l-3 16M14 13h18M13 19h18' },
  SortHandle: { solid: [20, 28].flatMap((x) => [10, 16, 22].map((y) => ring(x, y, 1.8))).join('') },
  MoveUp: { accent: 'M24 25V8M17 14l7-7 7 7' },
  MoveDown: { accent: 'M24 7v17M17 18l7 7 7-7' },
  Copy: { line: box(14, 6, 14, 16), accent: box(20, 11, 14, 16) },
  Remove: { accent: BINNED },
  Addition: { line: FIELD, accent: plus(24, 16) },
}

const KINDS_OF_PARTS: Readonly<Record<string, string>> = {
  TabPane: 'pane',
  StepPane: 'pane',
  CollapsePanel: 'pane',
  GridColumn: 'pane',
  Column: 'column',
  'Column:number': 'column',
  'Column:index': 'Index',
  'Column:sort': 'SortHandle',
  'Column:operations': 'Remove',
}

/** The shapes of a component, those of a part by what it is. */
export const shapesOf = (id: string): Shapes | undefined => {
  const part = id.slice(id.lastIndexOf('.') + 1)
  return PICTURES[id] ?? PICTURES[KINDS_OF_PARTS[part] ?? part]
}

/** A small drawing of a component in the colours of the theme. */
export const Picture = ({ id }: { id: string }) => {
  const { line, accent, solid } = shapesOf(id) ?? {}
  return (
    <svg className="sb-design-picture" viewBox="0 0 48 32" width="48" height="32" aria-hidden focusable="false">
      {solid && <path className="sb-design-picture-solid" d={solid} />}
      {line && <path d={line} />}
      {accent && <path className="sb-design-picture-accent" d={accent} />}
    </svg>
  )
}
