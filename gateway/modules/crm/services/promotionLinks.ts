export interface PromotionLink {
  /** Name of the page, as it is configured. */
  name: string
  /** Its address with the job number as `promoterNo`: a clue that comes this way goes to that person. */
  link: string
}

/** Links of one person on the configured pages. */
export function promotionLinks(pages: Readonly<Record<string, string>>, jobNumber: string): PromotionLink[] {
  return Object.entries(pages).map(([name, address]) => {
    const url = new URL(address)
    url.searchParams.set('promoterNo', jobNumber)
    return { name, link: url.href }
  })
}
