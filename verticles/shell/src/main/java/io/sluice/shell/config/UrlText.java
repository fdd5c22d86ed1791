package io.sluice.shell.config;

import java.net.URI;
import java.util.regex.Pattern;

/** URLs of the config, which are shown and logged, so that they hold no password. */
public final class UrlText {
    private static final Pattern USER = Pattern.compile("//[^/?#]*@");

    private UrlText() {}

    /**
     * Refuses a URL with a user part.
     *
     * @param key of the config
     * @throws IllegalArgumentException names the key, and nothing of the URL
     */
    public static void requireNoUser(String key, URI url) {
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    key + " must have no user or password before its host: they would be shown and logged");
        }
    }

    /** A URL for a sentence, without what stands before its host. */
    public static String shown(String url) {
        return USER.matcher(url).replaceFirst("//…@");
    }
}
