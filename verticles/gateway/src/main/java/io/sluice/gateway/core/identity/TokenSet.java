package io.sluice.gateway.core.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shared tokens of a listener, each of which is accepted, so that a new one can be distributed before the old one
 * is removed. It keeps only their hashes, and takes as long for a token that is nearly right as for one that is not.
 */
public final class TokenSet {
    /** For a listener that requires none. */
    public static final TokenSet NONE = new TokenSet(List.of());

    private static final int LENGTH_MIN = 16;
    private static final int LENGTH_MAX = 512;
    private static final int TOKENS_MAX = 100;

    private final List<byte[]> hashes;

    private TokenSet(List<byte[]> hashes) {
        this.hashes = List.copyOf(hashes);
    }

    /**
     * Reads a file's text: one token in each line that is not blank.
     *
     * @throws IllegalArgumentException if a line is no token, with its number and nothing of its content
     */
    public static TokenSet read(String text) {
        var hashes = new ArrayList<byte[]>();
        int number = 0;
        for (var line : text.split("\n", -1)) {
            number++;
            var token = line.strip();
            if (!token.isEmpty()) {
                if (!isToken(token)) {
                    throw new IllegalArgumentException("line " + number + " must be one token of " + LENGTH_MIN + " to "
                            + LENGTH_MAX + " visible ASCII characters");
                }
                hashes.add(hash(token));
            }
        }
        if (hashes.isEmpty() || hashes.size() > TOKENS_MAX) {
            throw new IllegalArgumentException(
                    "it must hold 1 to " + TOKENS_MAX + " tokens, one in a line, not " + hashes.size());
        }
        return new TokenSet(hashes);
    }

    /** Returns whether no token is required. */
    public boolean isEmpty() {
        return hashes.isEmpty();
    }

    /** Returns how many tokens there are. */
    public int size() {
        return hashes.size();
    }

    /** Returns whether this is one of the tokens. */
    public boolean contains(String token) {
        return hashOf(token).isPresent();
    }

    /** Returns whether every token of the other set is one of these too. */
    public boolean containsAll(TokenSet other) {
        return other.hashes.stream()
                .allMatch(wanted -> hashes.stream().anyMatch(hash -> MessageDigest.isEqual(hash, wanted)));
    }

    /** Returns the hash of the token, if it is one of these. */
    Optional<byte[]> hashOf(String token) {
        var presented = hash(token);
        byte[] found = null;
        // Every hash is compared: the time must not show which one it was.
        for (var hash : hashes) {
            if (MessageDigest.isEqual(hash, presented)) {
                found = hash;
            }
        }
        return Optional.ofNullable(found);
    }

    /** Returns all hashes, for values that are derived from them. */
    List<byte[]> hashes() {
        return hashes;
    }

    private static boolean isToken(String text) {
        return text.length() >= LENGTH_MIN
                && text.length() <= LENGTH_MAX
                && text.chars().allMatch(letter -> letter > ' ' && letter < 0x7f);
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every Java has SHA-256", never);
        }
    }
}
