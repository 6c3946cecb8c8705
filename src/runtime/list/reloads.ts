import { createContext } from 'react'

/** How often the list around was loaded anew because something was changed; what stands above a list follows it. */
export const ReloadsContext = createContext(0)
