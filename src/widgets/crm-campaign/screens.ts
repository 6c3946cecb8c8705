/** Where these screens are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const campaignCheck = () => import('./CampaignCheck')
export const campaignTemplate = () => import('./CampaignTemplate')
export const addressFile = () => import('./AddressFile')
