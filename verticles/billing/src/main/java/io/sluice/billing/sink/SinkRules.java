package io.sluice.billing.sink;

import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.Durations;
import io.sluice.shell.config.UrlText;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Rules for the config sections of all sinks. Each message names the full key. */
public final class SinkRules {
    private static final Duration EVERY_LEAST = Duration.ofMillis(100);
    private static final Duration EVERY_MOST = Duration.ofHours(1);
    private static final Duration TIMEOUT_LEAST = Duration.ofMillis(100);
    private static final Duration TIMEOUT_MOST = Duration.ofMinutes(10);
    private static final int EVENTS_MOST = 100_000;
    private static final int PREFIX_MOST = 200;

    private final String section;

    /** Creates the rules of a section, such as {@code billing.http}. */
    public SinkRules(String section) {
        this.section = section + ".";
    }

    public void pushEvery(Duration pushEvery) {
        between("pushEvery", pushEvery, EVERY_LEAST, EVERY_MOST);
    }

    void pushTimeout(Duration pushTimeout) {
        between("pushTimeout", pushTimeout, TIMEOUT_LEAST, TIMEOUT_MOST);
    }

    public void maxBatchSize(int maxBatchSize) {
        between("maxBatchSize", maxBatchSize, 1, EVENTS_MOST);
    }

    public void between(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw refused(key + "=" + value + " must be between " + least + " and " + most);
        }
    }

    public void size(String key, long bytes, long least, long most) {
        ByteSizes.requireBetween(section + key, bytes, least, most);
    }

    void named(String key, String value, String what) {
        if (value.isBlank()) {
            throw refused(key + " must be " + what + ", not blank");
        }
    }

    /** Object stores allow keys of 1024 bytes; the rest of a key is made here. */
    void prefix(String prefix) {
        if (prefix.length() > PREFIX_MOST) {
            throw refused("prefix=" + prefix + " must have at most " + PREFIX_MOST + " characters");
        }
    }

    public void path(String key, String path) {
        try {
            Path.of(path);
        } catch (InvalidPathException noPath) {
            throw new IllegalArgumentException(section + key + " is not a path: " + noPath.getMessage(), noPath);
        }
    }

    /** Returns the URL if a request can be sent to it. */
    URI url(String key, String url) {
        try {
            var uri = new URI(url);
            boolean usable = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
            if (usable) {
                return uri;
            }
        } catch (URISyntaxException noUrl) {
            throw new IllegalArgumentException(section + key + " is not a URL: " + UrlText.shown(url), noUrl);
        }
        throw refused(key + " must be http://host or https://host, with neither user, query nor fragment: "
                + UrlText.shown(url));
    }

    IllegalArgumentException refused(String sentence) {
        return new IllegalArgumentException(section + sentence);
    }

    /** Whether requests are encrypted, or stay on this machine. */
    static boolean isPrivate(URI url) {
        return "https".equals(url.getScheme())
                || List.of("localhost", "127.0.0.1", "[::1]").contains(url.getHost());
    }

    private void between(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw refused(key + "=" + Durations.text(value) + " must be between " + Durations.text(least) + " and "
                    + Durations.text(most));
        }
    }
}
