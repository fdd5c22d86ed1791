package io.sluice.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The code from which the distribution was built, as {@code mvn package} stored it beside this module's classes.
 *
 * @param commit the checkout, by {@code git describe}
 * @param digest digest of what ships of it: two commits with the same digest have the same main code
 */
record MainCode(String commit, String digest) {
    private static final String UNKNOWN = "unknown";

    /** Without a checkout to read. */
    static final MainCode NONE = new MainCode(UNKNOWN, UNKNOWN);

    static MainCode read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return NONE;
        }
        var words = Files.readString(file).strip().split(" ");
        return words.length == 2 ? new MainCode(words[0], words[1]) : NONE;
    }

    /** Why rounds of this code may not be added to those; empty if they may. */
    Optional<String> refuses(List<RoundResult> before) {
        return before.stream()
                .map(RoundResult::code)
                .filter(code -> !code.digest().equals(digest))
                .findFirst()
                .map(other -> "rounds in that file were played with the main code of " + other.commit()
                        + ", and this is " + commit + ": start another file");
    }
}
