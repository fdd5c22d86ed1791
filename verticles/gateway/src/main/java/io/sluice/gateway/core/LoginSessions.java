package io.sluice.gateway.core;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a browser bears instead of a token once it has shown one. It tells nothing of the token, as browsers hand
 * cookies to every port of a host; it ends with its time, with its token, and with the process that gave it.
 */
public final class LoginSessions {
    /** A browser logs in again after so long. */
    public static final Duration VALID_FOR = Duration.ofHours(12);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int PASS_LENGTH_MAX = 100;

    private final SecretKeySpec key;

    /**
     * Logins of one process.
     *
     * @param secret random bytes that nobody else knows
     */
    public LoginSessions(byte[] secret) {
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** What to bear from now on, if the token is one of the door's. */
    public Optional<String> pass(TokenSet tokens, String token, Instant now) {
        long until = now.plus(VALID_FOR).getEpochSecond();
        return tokens.hashOf(token)
                .map(hash ->
                        until + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(seal(hash, until)));
    }

    /** Whether this was given for one of the door's tokens, and still counts. */
    public boolean lets(TokenSet tokens, String pass, Instant now) {
        int dot = pass.indexOf('.');
        if (dot < 1 || pass.length() > PASS_LENGTH_MAX) {
            return false;
        }
        try {
            long until = Long.parseLong(pass.substring(0, dot));
            var seal = Base64.getUrlDecoder().decode(pass.substring(dot + 1));
            boolean sealed = false;
            for (var hash : tokens.hashes()) {
                sealed |= MessageDigest.isEqual(seal(hash, until), seal);
            }
            return sealed && now.getEpochSecond() < until;
        } catch (IllegalArgumentException garbage) {
            return false;
        }
    }

    private byte[] seal(byte[] hash, long until) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(hash);
            return mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(until).array());
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException("every Java has " + ALGORITHM, never);
        }
    }
}
