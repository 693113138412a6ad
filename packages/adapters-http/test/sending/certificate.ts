/** The name that the certificate is for. */
export const certifiedName = "hooks.loopbox.test"

/** Signed by itself, valid until 2120; nobody but these tests trusts it. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBezCCASKgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJob29rcy5s
b29wYm94LnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEmhvb2tzLmxvb3Bib3gudGVzdDBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABPM0MU7nJMFNpj09MF0ZDaptT5vEVqLX8llT8rOx4Z1rN9kIYjCEd+s0
RPxdUSYlWWMy+yLnqxC1Vpe0cqwhWcejUTBPMB0GA1UdEQQWMBSCEmhvb2tzLmxv
b3Bib3gudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTOoEFMPu9ZaiCl
tyrSoPPQII21CDAKBggqhkjOPQQDAgNHADBEAiAWmbn6XK6Kh3ObEKMm2poDvA1X
pCsEjSQFADUIwgknngIgfAZcDRZ476OtVuhaAsUDpbykrSmcDJjpWSkZ9BPlT0k=
-----END CERTIFICATE-----
`

/** Its key, which guards nothing. */
export const certificateKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEII67D7xgh07jb4bxwWvMGcoRLSHMy3/3nBhmfooQxNCJoAoGCCqGSM49
AwEHoUQDQgAE8zQxTuckwU2mPT0wXRkNqm1Pm8RWotfyWVPys7HhnWs32QhiMIR3
6zRE/F1RJiVZYzL7IuerELVWl7RyrCFZxw==
-----END EC PRIVATE KEY-----
`
