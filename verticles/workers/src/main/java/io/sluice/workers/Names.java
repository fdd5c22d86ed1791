package io.sluice.workers;

import java.util.regex.Pattern;

/** The form of the ids of workers, controllers and instances. */
final class Names {
    /** In words. */
    static final String FORM = "of lower-case letters, digits, dots and dashes";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");
    private static final Pattern BEGINNING = Pattern.compile("([a-z0-9][-a-z0-9.]{0,61})?\\*");

    private Names() {}

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** A name, or what names begin with and a star. */
    static boolean isPattern(String text) {
        return isName(text) || BEGINNING.matcher(text).matches();
    }
}
