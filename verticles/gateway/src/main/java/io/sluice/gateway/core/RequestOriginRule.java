package io.sluice.gateway.core;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which requests are refused before anybody looks at their credential: those that a page of somebody else's made a
 * browser send. A browser on this machine reaches what listens on loopback; the pages it shows must not.
 */
public final class RequestOriginRule {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final Pattern CROOKED = Pattern.compile("//|\\\\|%2e|%2f|%5c|%00|/\\.\\.?(/|$)");
    private static final List<String> OUR_SITES = List.of("same-origin", "none");

    private final boolean tls;
    private final Optional<Set<String>> names;
    private final boolean plainPaths;

    /** Why a request is refused, and under which word that is counted. */
    public record Refusal(int status, String word, String sentence) {}

    private RequestOriginRule(boolean tls, Optional<Set<String>> names, boolean plainPaths) {
        this.tls = tls;
        this.names = names;
        this.plainPaths = plainPaths;
    }

    /**
     * For a door that may be called by any name.
     *
     * @param tls whether it speaks TLS, so that pages without have no business with it
     */
    public static RequestOriginRule anyName(boolean tls) {
        return new RequestOriginRule(tls, Optional.empty(), false);
    }

    /** The same for a door that may be called by these names and by local ones. */
    public RequestOriginRule onlyNamed(Collection<String> others) {
        var lower = others.stream().map(RequestOriginRule::lower).collect(Collectors.toUnmodifiableSet());
        return new RequestOriginRule(tls, Optional.of(lower), plainPaths);
    }

    /** The same for a door with paths, some of which need no credential: there is one way to write each. */
    public RequestOriginRule withPaths() {
        return new RequestOriginRule(tls, names, true);
    }

    /** Why this is refused; empty for what may go on. */
    public Optional<Refusal> weigh(RequestOrigin caller) {
        if (plainPaths && CROOKED.matcher(lower(caller.path())).find()) {
            return Optional.of(new Refusal(400, "path", "this path is not written as this door writes it"));
        }
        if (names.isPresent() && !isNamed(caller.host(), names.get())) {
            return Optional.of(new Refusal(
                    403, "host", "the header Host must be a name of this machine, or one that this door is given"));
        }
        if (caller.origin().isPresent() && !isOwn(caller.origin().get(), caller.host())) {
            return Optional.of(new Refusal(403, "origin", "a page of another origin may not ask this"));
        }
        if (isFromElsewhere(caller)) {
            return Optional.of(new Refusal(403, "site", "a page of another site may not ask this"));
        }
        return Optional.empty();
    }

    private static boolean isNamed(Optional<String> host, Set<String> names) {
        var name = lower(withoutPort(host.orElse("")));
        return name.equals("localhost")
                || name.equals("::1")
                || LOOPBACK_V4.matcher(name).matches()
                || names.contains(name);
    }

    /** The scheme counts only where this door has TLS itself: in front of one that has none a proxy may have it. */
    private boolean isOwn(String origin, Optional<String> host) {
        int scheme = origin.indexOf("://");
        if (scheme < 0 || tls && !origin.startsWith("https://")) {
            return false;
        }
        var authority = lower(origin.substring(scheme + "://".length()));
        return host.map(RequestOriginRule::lower).filter(authority::equals).isPresent();
    }

    /** Links lead here from anywhere; only what a page fetches by itself is suspicious. */
    private static boolean isFromElsewhere(RequestOrigin caller) {
        return caller.site().isPresent()
                && !OUR_SITES.contains(caller.site().get())
                && !caller.mode().equals(Optional.of("navigate"));
    }

    private static String withoutPort(String host) {
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            return end < 0 ? host : host.substring(1, end);
        }
        int colon = host.indexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
