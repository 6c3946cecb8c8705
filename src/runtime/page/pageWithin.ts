import { createContext, use, type ComponentType } from 'react'

type Page = ComponentType<{ address: string }>

const PageContext = createContext<Page | null>(null)

/** Gives what is drawn within a page the means to draw another page, which it cannot import: pages draw it. */
export const PageWithin = PageContext.Provider

/** Draws a page by its address; null outside a page. */
export const usePageWithin = (): Page | null => use(PageContext)
