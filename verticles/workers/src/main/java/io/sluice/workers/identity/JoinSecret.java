package io.sluice.workers.identity;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * What a machine gets its first certificate by, as it is handed over.
 *
 * @param id names it in the store
 * @param secret is nowhere stored
 * @param authority the fingerprint of the authority's certificate, by which the machine knows the scheduler
 */
public record JoinSecret(String id, String secret, String authority) {
    private static final int ID_BYTES = 9;
    private static final int SECRET_BYTES = 32;
    private static final int PARTS = 3;

    static JoinSecret random(SecureRandom random, String authority) {
        return new JoinSecret(text(random, ID_BYTES), text(random, SECRET_BYTES), authority);
    }

    private static String text(SecureRandom random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Reads the form that {@link #text()} writes; empty if it is another. */
    public static Optional<JoinSecret> read(String text) {
        var parts = text.strip().split("\\.", -1);
        return parts.length == PARTS ? Optional.of(new JoinSecret(parts[0], parts[1], parts[2])) : Optional.empty();
    }

    /** The form in which it is handed over. */
    public String text() {
        return id + "." + secret + "." + authority;
    }

    /** What is stored of it. */
    public String hash() {
        return ClientIdentity.fingerprint((id + "." + secret).getBytes(StandardCharsets.UTF_8));
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "token " + id;
    }
}
