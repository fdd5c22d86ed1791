package io.sluice.gateway.core.identity;

import java.util.Objects;
import java.util.Optional;

/**
 * The headers of a request that show where it comes from. Browsers set all of them and let no page change them;
 * programs need not.
 *
 * @param path the path that is requested, as it was sent
 * @param host the header {@code Host}
 * @param origin the header {@code Origin}
 * @param site the header {@code Sec-Fetch-Site}
 * @param mode the header {@code Sec-Fetch-Mode}
 */
public record RequestOrigin(
        String path, Optional<String> host, Optional<String> origin, Optional<String> site, Optional<String> mode) {
    public RequestOrigin {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(site, "site");
        Objects.requireNonNull(mode, "mode");
    }
}
