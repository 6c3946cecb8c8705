import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'

const CODE = /^[A-Z]{3}$/

/** The field that holds the currency of an amount; none when the currency is fixed. */
export function currencyField({ kind, field }: Pick<FieldModel, 'kind' | 'field'>): string | undefined {
  const named = kind === 'money' ? field['x-money'] : undefined
  return named === undefined || CODE.test(named) ? undefined : named
}

/** The currency of an amount of a record; undefined when nothing says it. */
export function currencyIn({ kind, field }: FieldModel, record: EntityRecord): string | undefined {
  const named = kind === 'money' ? field['x-money'] : undefined
  const held: unknown = named === undefined || CODE.test(named) ? named : record[named]
  return typeof held === 'string' && held !== '' ? held : undefined
}

/** Two currencies are never added: the refusal of an amount in another one than that of the sum. */
export function otherCurrency(
  model: EntityModel,
  { field, child, source }: { field: FieldModel; child: EntityModel; source?: FieldModel },
  sum: string | undefined,
  amount: string | undefined,
): ServiceError {
  const [zhSum, zhAmount] = [sum ?? '未填', amount ?? '未填']
  const [enSum, enAmount] = [sum ?? 'none', amount ?? 'none']
  return new ServiceError('limitRefused', {
    message: {
      zh: `${child.label.zh}的“${source?.label.zh ?? ''}”币种为${zhAmount}，而${model.label.zh}的“${field.label.zh}”币种为${zhSum}，不同币种不能相加。`,
      en: `"${source?.label.en ?? ''}" of the ${child.label.en.toLowerCase()} is in ${enAmount}, but "${field.label.en}" of the ${model.label.en.toLowerCase()} is in ${enSum}: amounts of different currencies are never added.`,
    },
    data: { reason: 'currency' },
  })
}
