package io.sluice.lab.api;

/**
 * The address and credentials of an API server.
 *
 * @param url without a slash at its end
 * @param token the bearer token; empty sends none
 * @param caFile the certificates that must sign the server's; empty trusts what the JDK trusts
 */
public record ApiEndpoint(String url, String token, String caFile) {
    /** An API server without credentials. */
    public static ApiEndpoint open(String url) {
        return new ApiEndpoint(url, "", "");
    }
}
