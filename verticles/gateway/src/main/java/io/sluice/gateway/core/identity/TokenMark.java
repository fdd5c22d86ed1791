package io.sluice.gateway.core.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * What is kept of a token.
 *
 * @param hash identifies the token
 * @param ends when it ends by its own claim; reliable only after a review
 */
public record TokenMark(String hash, Optional<Instant> ends) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int JWT_PARTS = 3;
    private static final long ENDS_MAX = 1L << 40;

    public TokenMark {
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(ends, "ends");
    }

    /** Returns the mark of any text. */
    public static TokenMark of(String token) {
        return new TokenMark(hash(token), ends(token));
    }

    /** Returns the hash alone, which is needed for each request. */
    public static String hash(String token) {
        return HexFormat.of().formatHex(TokenSet.hash(token));
    }

    /** A service account's token has three parts, of which the second has its end; for other tokens it is unknown. */
    private static Optional<Instant> ends(String token) {
        var parts = token.split("\\.", -1);
        if (parts.length != JWT_PARTS) {
            return Optional.empty();
        }
        try {
            var claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            var ends = JSON.readTree(claims).path("exp");
            return ends.canConvertToLong() && ends.longValue() >= 0 && ends.longValue() <= ENDS_MAX
                    ? Optional.of(Instant.ofEpochSecond(ends.longValue()))
                    : Optional.empty();
        } catch (IllegalArgumentException | JsonProcessingException other) {
            return Optional.empty();
        }
    }
}
