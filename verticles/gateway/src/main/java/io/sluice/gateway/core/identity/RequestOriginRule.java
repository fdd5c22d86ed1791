package io.sluice.gateway.core.identity;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides which requests are refused before their credential is checked: those that a page of another site made a
 * browser send. A browser on this machine can reach what listens on loopback; the pages it shows must not.
 */
public final class RequestOriginRule {
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
    private static final Pattern CROOKED = Pattern.compile("//|\\\\|%2e|%2f|%5c|%00|/\\.\\.?(/|$)");
    private static final List<String> OUR_SITES = List.of("same-origin", "none");

    private final boolean tls;
    private final Optional<Set<String>> names;
    private final boolean plainPaths;

    /** Why a request is refused, with the word for metrics. */
    public record Refusal(int status, String word, String sentence) {}

    private RequestOriginRule(boolean tls, Optional<Set<String>> names, boolean plainPaths) {
        this.tls = tls;
        this.names = names;
        this.plainPaths = plainPaths;
    }

    /**
     * Creates a rule for a listener that accepts any name.
     *
     * @param tls whether it serves TLS, so that pages without TLS are refused
     */
    public static RequestOriginRule anyName(boolean tls) {
        return new RequestOriginRule(tls, Optional.empty(), false);
    }

    /** Returns the same rule for a listener that accepts only these and local names. */
    public RequestOriginRule onlyNamed(Collection<String> others) {
        var lower = others.stream().map(RequestOriginRule::lower).collect(Collectors.toUnmodifiableSet());
        return new RequestOriginRule(tls, Optional.of(lower), plainPaths);
    }

    /**
     * Returns the same rule for a listener with paths, some of which need no credential: only one spelling of each is
     * accepted.
     */
    public RequestOriginRule withPaths() {
        return new RequestOriginRule(tls, names, true);
    }

    /** Returns why this is refused; empty if it is not. */
    public Optional<Refusal> weigh(RequestOrigin caller) {
        if (plainPaths && CROOKED.matcher(lower(caller.path())).find()) {
            return Optional.of(new Refusal(400, "path", "this path is not in its canonical form"));
        }
        if (names.isPresent() && !isNamed(caller.host(), names.get())) {
            return Optional.of(new Refusal(
                    403, "host", "the header Host must be a name of this machine, or one of the listener's names"));
        }
        if (caller.origin().isPresent() && !isOwn(caller.origin().get(), caller.host())) {
            return Optional.of(new Refusal(403, "origin", "a page of another origin may not request this"));
        }
        if (isFromElsewhere(caller)) {
            return Optional.of(new Refusal(403, "site", "a page of another site may not request this"));
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

    /**
     * The scheme counts only if this listener has TLS itself: without TLS there may be a proxy in front that has it.
     */
    private boolean isOwn(String origin, Optional<String> host) {
        int scheme = origin.indexOf("://");
        if (scheme < 0 || tls && !origin.startsWith("https://")) {
            return false;
        }
        var authority = lower(origin.substring(scheme + "://".length()));
        return host.map(RequestOriginRule::lower).filter(authority::equals).isPresent();
    }

    /** Links from anywhere may lead here; only what a page fetches by itself is refused. */
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
