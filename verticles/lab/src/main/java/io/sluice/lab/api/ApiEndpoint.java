package io.sluice.lab.api;

/**
 * Where an API server answers.
 *
 * @param url without a slash at its end
 * @param token the bearer's; empty sends none
 * @param caFile the certificates that the server's must be signed by; empty trusts what the JDK trusts
 */
public record ApiEndpoint(String url, String token, String caFile) {
    /** One that wants no credential. */
    public static ApiEndpoint open(String url) {
        return new ApiEndpoint(url, "", "");
    }
}
