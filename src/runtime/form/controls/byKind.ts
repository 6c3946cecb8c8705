import { formatFieldOf, formatOf, ready } from '../../../schema/formats'
import type { FormatContext, FormatField } from '../../../schema/formats'
import type { FieldKind } from '../../../schema/model'
import type { TextContext } from './control'
import { currencyOf } from './shown'

/** Text and parsing as the format of a field kind has them (src/schema/formats): one definition for lists, forms and imports. */

const contextOf = ({ locale, timeZone, title }: TextContext): FormatContext => ({ locale, timeZone, refTitle: title })
/** Without its unit, which the form shows beside the text. */
const fieldOf = ({ field }: TextContext): FormatField => (field ? { ...formatFieldOf(field), 'x-unit': undefined } : {})

export const shownAs =
  (kind: FieldKind) =>
  (value: unknown, context: TextContext): string =>
    formatOf(kind).show(value, fieldOf(context), contextOf(context))

/** An amount with all decimals that would be saved; its currency stands in a field beside it, or the node names it. */
export const moneyText = (value: unknown, context: TextContext): string => {
  const currency = currencyOf(context.field, context.props, context.sibling)
  const field: FormatField = { ...fieldOf(context), 'x-money': currency || undefined }
  return formatOf('money').show(value, field, { ...contextOf(context), exact: true })
}

/** undefined = the text is no value of the kind. */
export const parsedAs =
  (kind: FieldKind) =>
  (text: string, context: TextContext): unknown => {
    const parsed = formatOf(kind).parse(text, fieldOf(context), contextOf(context))
    return 'message' in parsed ? undefined : parsed.value
  }

/** A widget together with what its kind needs beyond its few lines (names of countries, phone numbers). */
export const withReady = async <T>(kind: FieldKind, widget: Promise<T>): Promise<T> => {
  const [loaded] = await Promise.all([widget, ready(kind)])
  return loaded
}
