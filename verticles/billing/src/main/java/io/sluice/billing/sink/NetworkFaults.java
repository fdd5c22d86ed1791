package io.sluice.billing.sink;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Pattern;

/**
 * Describes network failures by short labels of which there are few: addresses, ports and other numbers are left out.
 */
final class NetworkFaults {
    private static final int LENGTH_MAX = 80;
    private static final int LOOKED_AT_MAX = 500;
    private static final int DEPTH_MAX = 20;
    private static final Pattern HOST_AND_PORT = Pattern.compile("/?([\\w.-]*[\\w-]|\\[[^\\]]*]):\\d+");
    private static final Pattern ADDRESS =
            Pattern.compile("/?\\d+(\\.\\d+){3}(:\\d+)?|/?[\\da-fA-F]*(:+[\\da-fA-F]+){2,}");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern GAP = Pattern.compile("[\\s\\p{Cntrl}]+");

    private NetworkFaults() {}

    /** Returns the message of the root cause without numbers, or its class name where it has no message. */
    static String text(Throwable failure) {
        var known = known(failure);
        if (!known.isEmpty()) {
            return known;
        }
        var root = root(failure);
        var message = root.getMessage() == null ? "" : root.getMessage();
        var plain = GAP.matcher(withoutNumbers(shortened(message, LOOKED_AT_MAX)))
                .replaceAll(" ")
                .strip();
        var text = plain.isEmpty() ? root.getClass().getSimpleName() : plain;
        return shortened(text, LENGTH_MAX);
    }

    private static String known(Throwable failure) {
        var cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            var words = words(cause);
            if (!words.isEmpty()) {
                return words;
            }
            cause = cause.getCause();
        }
        return "";
    }

    private static String words(Throwable cause) {
        return switch (cause) {
            case HttpConnectTimeoutException _ -> "connect timed out";
            case HttpTimeoutException _ -> "request timed out";
            case UnknownHostException _ -> "unknown host";
            case UnresolvedAddressException _ -> "unknown host";
            // The JDK's client gives no other message for a port without a listener.
            case ConnectException refused
            when refused.getMessage() == null && root(refused) instanceof ClosedChannelException ->
                "Connection refused";
            default -> "";
        };
    }

    private static Throwable root(Throwable failure) {
        var root = failure;
        for (int depth = 0; root.getCause() != null && depth < DEPTH_MAX; depth++) {
            root = root.getCause();
        }
        return root;
    }

    private static String shortened(String text, int length) {
        return text.substring(0, Math.min(text.length(), length));
    }

    private static String withoutNumbers(String message) {
        var noAddresses = ADDRESS.matcher(message).replaceAll("*");
        var noHosts = HOST_AND_PORT.matcher(noAddresses).replaceAll("*");
        return NUMBER.matcher(noHosts).replaceAll("N");
    }
}
