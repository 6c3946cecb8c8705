import type { Verb } from '../../entities'

/** Gives the records of a call to some people in turn: `field` is the reference that is set, `among` their ids. */
export const evenly: Verb = (_, runs) => {
  for (const [index, { subject, with: values }] of runs.entries()) {
    const among = Array.isArray(values.among) ? values.among.map(String) : []
    if (among.length > 0) subject.record[String(values.field)] = among[index % among.length]
  }
  return Promise.resolve()
}
