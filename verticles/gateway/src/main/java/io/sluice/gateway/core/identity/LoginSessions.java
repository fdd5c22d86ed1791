package io.sluice.gateway.core.identity;

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
 * The cookies that browsers have instead of a token after a login. A cookie has nothing of the token, as browsers send
 * cookies to every port of a host; it ends after a time, with its token, and with the process that created it.
 */
public final class LoginSessions {
    /** A browser has to log in again after this. */
    public static final Duration VALID_FOR = Duration.ofHours(12);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int PASS_LENGTH_MAX = 100;

    private final SecretKeySpec key;

    /**
     * The logins of one process.
     *
     * @param secret random bytes that no other process has
     */
    public LoginSessions(byte[] secret) {
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** Returns a cookie's value, if the token is one of the listener's. */
    public Optional<String> pass(TokenSet tokens, String token, Instant now) {
        long until = now.plus(VALID_FOR).getEpochSecond();
        return tokens.hashOf(token)
                .map(hash ->
                        until + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(seal(hash, until)));
    }

    /** Returns whether this value was created for one of the listener's tokens and is still valid. */
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
