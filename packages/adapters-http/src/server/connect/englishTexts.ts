import type { Wording } from "./Wording.ts"

export const englishTexts: Wording = {
  choosing: {
    title: (network) => `Connect ${network}`,
    intro: (workspace, network) => `You connect accounts of ${network} with ${workspace}.`,
    allowed: (workspace) => `${workspace} will be able to:`,
    chooseOne: "Choose the account to connect.",
    chooseSome: "Choose the accounts to connect.",
    nothingChosen: "Choose at least one account.",
    submit: "Connect"
  },
  features: {
    inbox: "read comments and messages, and answer them",
    publish: "publish posts",
    moderate: "hide and delete comments"
  },
  hindrances: {
    page_permission_required: "Your role on this Page does not allow it. Ask its owner for full control.",
    page_token_missing: "The network gave no access to it. Allow it in the network's dialog.",
    account_not_eligible: "This account cannot be connected: it must be a business or creator account."
  },
  connected: {
    title: "Connected",
    happened: (network, accounts) =>
      accounts > 1 ? `Your accounts at ${network} are connected:` : `Your account at ${network} is connected:`,
    remedy: "You can close this window."
  },
  waiting: {
    title: "One moment",
    happened: "The network is being asked for your accounts.",
    remedy: "This page goes on by itself. Do not close it."
  },
  failures: {
    denied: {
      title: "Not connected",
      happened: "You did not allow the connection, or the network did not.",
      remedy:
        "Try again and allow all that is asked. An app that is still in development admits only people who have a role on it."
    },
    code_expired: {
      title: "Not connected",
      happened: "The network's answer was no longer valid.",
      remedy: "Try again, and do not leave the network's pages open for long."
    },
    provider_error: {
      title: "Not connected",
      happened: "The network answered with an error, or not at all.",
      remedy: "Try again in some minutes."
    },
    no_pages: {
      title: "No Page found",
      happened: "There is no Page that you manage, or you allowed none of them.",
      remedy: "Try again and choose your Pages in the network's dialog, or sign in as somebody who manages one."
    },
    page_permission_required: {
      title: "Not connected",
      happened: "Your role on the Page does not allow what was asked for.",
      remedy: "Ask the Page's owner for full control, and try again."
    },
    account_not_eligible: {
      title: "Not connected",
      happened: "The network gives no access to this account.",
      remedy: "Make it a business or creator account, or sign in with another account, and try again."
    },
    account_mismatch: {
      title: "Another account",
      happened: "You signed in with another account than the one that has to be connected again. Nothing was changed.",
      remedy: "Sign in at the network with the right account, and try again."
    },
    account_of_other_user: {
      title: "Already connected",
      happened: "This account is connected already, for somebody else. Nothing was changed.",
      remedy: "Ask whoever sent you here."
    },
    missing_scopes: {
      title: "Connected, with less than was asked for",
      happened: "The account is connected, but not all permissions were granted: some things will not work.",
      remedy: "Connect it again and allow all that is asked."
    }
  },
  troubles: {
    link_unknown: {
      title: "This link does not exist",
      happened: "There is nothing to connect at this address.",
      remedy: "Check that it is complete, or ask for a new link where you got it."
    },
    link_expired: {
      title: "This link has expired",
      happened: "It was valid for 30 minutes.",
      remedy: "Ask for a new link where you got this one."
    },
    state_invalid: {
      title: "This page cannot go on",
      happened: "It was opened in another browser, too late, or a second time. Nothing was connected.",
      remedy: "Open the link that you were given once more, in this browser and with cookies allowed."
    },
    deletion_unknown: {
      title: "Unknown code",
      happened: "There is no request for deletion with this code.",
      remedy: "Check that the address is complete."
    },
    too_many: {
      title: "Too many requests",
      happened: "Too many invalid requests came from your address.",
      remedy: "Wait a minute, and try again."
    },
    too_large: {
      title: "Too large",
      happened: "The form that was sent is too large. Nothing was connected.",
      remedy: "Go back, and try again."
    },
    unavailable: {
      title: "Not available now",
      happened: "The service cannot go on at the moment. Nothing is lost.",
      remedy: "Load this page again in some seconds."
    }
  },
  deletion: {
    title: "Deletion of your data",
    underWay: "Your request is being worked on. This page says when everything is deleted.",
    done: "Everything that was kept of you is deleted.",
    requestedAt: "Requested",
    completedAt: "Deleted",
    code: "Code"
  },
  tryAgain: "Try again",
  reference: "Reference",
  locale: "en-GB"
}
