import { Exact, exactText, toExact } from '../../../schema/formats'
import type { ReportDimensionModel, ReportMeasureModel } from '../../../schema/model'
import { isTime, type Group } from '../../../headless/report/group'
import { reportTexts } from '../../../headless/report/texts'
import type { ChartParts, Color, Point } from './panel'
import { allBuckets } from './time'

/** Colours one after the other; those that carry a judgement (green, orange, red) are left to what says so. */
const COLORS = ['blue', 'cyan', 'gold', 'purple', 'magenta', 'geekblue', 'lime', 'volcano'] as const

export const idOf = (values: readonly unknown[]): string => JSON.stringify(values)

/** What all panels of a block read. */
export class Reading {
  readonly groups: readonly Group[]
  private readonly measures: ReadonlyMap<string, ReportMeasureModel>
  private readonly dimensions: readonly (ReportDimensionModel | undefined)[]

  constructor(
    readonly chart: ChartParts,
    readonly currency?: string,
  ) {
    const { model, block, groups } = chart
    this.groups = groups
    this.measures = new Map(model.measures.map((measure) => [measure.id, measure]))
    this.dimensions = block.dimensions.map((id) => model.dimensions.find((dimension) => dimension.id === id))
  }

  get texts() {
    return reportTexts[this.chart.model.locale]
  }
  get dimensionCount(): number {
    return this.dimensions.length
  }
  /** The last dimension tells the lines or bars apart. */
  get isSplit(): boolean {
    return this.dimensions.length > 1
  }
  dimension(index: number): ReportDimensionModel | undefined {
    return this.dimensions[index]
  }
  additive(id: string): boolean {
    return this.measures.get(id)?.additive === true
  }
  title(id: string): string {
    return this.chart.shown.title(id)
  }

  /** What the numbers of a measure can be compared with. */
  unit(id: string): string {
    const { format = '', currency = '', additive } = this.measures.get(id) ?? {}
    if (format === 'money') return `money ${currency}`
    if (format === 'percent' || format === 'days') return format
    return additive ? 'number' : `of ${id}`
  }

  /** The one currency of a measure, or that of the panel. */
  currencyOf(id: string): string | undefined {
    const { format, currency } = this.measures.get(id) ?? {}
    return this.currency ?? (format === 'money' ? currency : undefined)
  }

  point(id: string, group: Group | undefined): Point {
    const { shown } = this.chart
    const counted = group ? shown.amount(id, group, this.currency) : null
    if (!group || (counted === null && Object.keys(group.figures).length === 0)) {
      if (!this.additive(id)) return { value: null, text: '—', address: null }
      const currency = this.currencyOf(id)
      const figures = { [id]: [{ value: '0', ...(currency === undefined ? {} : { currency }) }] }
      return { value: 0, text: shown.measure(id, { keys: [], row: {}, figures }, this.currency), address: null }
    }
    return { value: counted, text: shown.measure(id, group, this.currency), address: shown.measureAddress(id, group) }
  }

  /** The sum of groups that have no place of their own. */
  rest(id: string, groups: readonly Group[]): Point {
    const amounts = groups.flatMap((group) =>
      (group.figures[id] ?? []).filter(({ currency }) => this.currency === undefined || currency === this.currency),
    )
    const sum = amounts.reduce((all, { value }) => all.plus(toExact(value) ?? new Exact(0)), new Exact(0))
    const figures = { [id]: [{ ...amounts[0], value: exactText(sum) }] }
    return { ...this.point(id, { keys: [], row: {}, figures }), address: null }
  }

  /** The colour of a measure: its own, else the next of those that no other one of the block has. Blocks begin at another one each. */
  color(id: string): Color {
    const { block, model } = this.chart
    const own = (name: string) => this.measures.get(name)?.color as Color | undefined
    const taken = block.measures.flatMap((name) => own(name) ?? [])
    const without = block.measures.filter((name) => own(name) === undefined)
    return own(id) ?? this.free(without.indexOf(id), taken, model.blocks.filter(({ type }) => type === 'chart').indexOf(block))
  }

  free(index: number, taken: readonly Color[] = [], from = 0): Color {
    const shifted = COLORS.map((_, at) => COLORS[(Math.max(0, from) + at) % COLORS.length] ?? 'rest')
    const open = shifted.filter((color) => !taken.includes(color))
    return open[Math.max(0, index) % open.length] ?? 'rest'
  }

  /** The dictionary's own colours where each value has another one: a state looks the same everywhere. Else one after the other. */
  colorsOf(values: readonly unknown[], dimension: number): readonly Color[] {
    const { block, shown } = this.chart
    const own = values.map((value) => shown.colour(block.dimensions[dimension] ?? '', value))
    const told = own.some((color) => color !== undefined) && new Set(own).size === own.length
    return values.map((_, index) => (told ? ((own[index] as Color | undefined) ?? 'rest') : this.free(index)))
  }

  name(group: Group, from = 0, to = this.dimensions.length): string {
    const { block, shown } = this.chart
    return block.dimensions
      .slice(from, to)
      .map((id, index) => shown.dimension(id, group, from + index))
      .join(' · ')
  }

  /** The values of a dimension with a group that names each: times in their order without a gap, words in that of the dictionary. */
  values(dimension: number, groups: readonly Group[] = this.groups): readonly Group[] {
    const { bucket, dictionary } = this.dimensions[dimension] ?? {}
    const first = new Map<string, Group>()
    for (const group of groups) {
      const id = idOf([group.keys[dimension]])
      if (!first.has(id)) first.set(id, group)
    }
    const found = [...first.values()]
    const times = found.map(({ keys }) => keys[dimension]).filter(isTime)
    if (times.length > 0) {
      const blank = (day: string): Group => ({ keys: Array.from({ length: dimension + 1 }, () => day), row: {}, figures: {} })
      const days = bucket ? allBuckets(times, bucket) : times.sort()
      const undated = found.filter(({ keys }) => !isTime(keys[dimension]))
      return [...days.map((day) => found.find(({ keys }) => sameTime(keys[dimension], day, bucket)) ?? blank(day)), ...undated]
    }
    if (!dictionary) return found
    const rank = ({ keys }: Group): number => {
      const index = dictionary.findIndex(({ code }) => code === keys[dimension])
      return index < 0 ? dictionary.length : index
    }
    return [...found].sort((one, other) => rank(one) - rank(other))
  }
}

const sameTime = (value: unknown, day: string, bucket: ReportDimensionModel['bucket']): boolean =>
  isTime(value) && (bucket ? value.slice(0, 10) === day : value === day)
