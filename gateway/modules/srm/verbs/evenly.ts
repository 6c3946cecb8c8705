import type { ModuleVerb } from '../../module'

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/**
 * `srm.evenly`: gives records to some people in turn: `field` is the reference that is set, `among` their ids; `order` the ids of all records, so
 * that a call that is done in parts stays even.
 */
export const verb: ModuleVerb = (_, runs) => {
  for (const [index, { subject, with: values }] of runs.entries()) {
    const [among, order] = [texts(values.among), texts(values.order)]
    const place = order.indexOf(String(subject.record.id))
    if (among.length > 0) subject.record[String(values.field)] = among[(place < 0 ? index : place) % among.length]
  }
  return Promise.resolve()
}
