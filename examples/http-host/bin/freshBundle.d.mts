export declare const listName: string
export declare const stateOf: (file: string) => number
export declare const isFresh: (folder: string, root: string) => boolean
