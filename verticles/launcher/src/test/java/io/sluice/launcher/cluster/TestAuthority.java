package io.sluice.launcher.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Signs certificates as an issuer of the operator's would, with the JDK's keytool. */
public final class TestAuthority {
    private static final String PASSWORD = "password";
    private static final int KEYTOOL_SECONDS_MAX = 60;

    private final Path directory;
    private final String name;

    private TestAuthority(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    public static TestAuthority of(Path directory, String name) throws Exception {
        var authority = new TestAuthority(directory, name);
        authority.keytool(List.of("-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c=ca:true"));
        return authority;
    }

    /**
     * The files of a process whose certificate this issuer has signed and that trusts this issuer; its name is no
     * host's.
     *
     * @param more further arguments of keytool
     */
    public BusTlsFiles files(String process, String... more) throws Exception {
        var what = new ArrayList<>(List.of("-alias", process, "-dname", "CN=" + process, "-signer", "ca"));
        what.addAll(List.of(more));
        keytool(what);
        var store = KeyStore.getInstance(store().toFile(), PASSWORD.toCharArray());
        return new BusTlsFiles(
                write(
                        process + ".crt",
                        "CERTIFICATE",
                        store.getCertificate(process).getEncoded()),
                write(
                        process + ".key",
                        "PRIVATE KEY",
                        store.getKey(process, PASSWORD.toCharArray()).getEncoded()),
                write("ca.crt", "CERTIFICATE", store.getCertificate("ca").getEncoded()));
    }

    private Path store() {
        return directory.resolve(name + ".p12");
    }

    private String write(String file, String kind, byte[] content) throws IOException {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        var pem = "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
        return Files.writeString(directory.resolve(name + "-" + file), pem).toString();
    }

    private void keytool(List<String> what) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store().toString(),
                "-storepass",
                PASSWORD));
        command.addAll(what);
        var tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!tool.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IOException("keytool made no certificate");
        }
    }
}
