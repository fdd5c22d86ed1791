package io.sluice.workers.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** The key, the certificate and the authority of a worker or a controller, as files of one directory. */
public final class IdentityFiles {
    static final String SIGNATURE = "SHA256withECDSA";
    private static final String CURVE = "secp256r1";

    private final Path key;
    private final Path certificate;
    private final Path authority;

    /** @param name what the files begin with */
    public IdentityFiles(Path directory, String name) {
        key = directory.resolve(name + ".key");
        certificate = directory.resolve(name + ".crt");
        authority = directory.resolve("ca.crt");
    }

    /** The file of the certificate. */
    public String certificate() {
        return certificate.toString();
    }

    /** The file of its key. */
    public String key() {
        return key.toString();
    }

    /** The file of the authority's certificate. */
    public String authority() {
        return authority.toString();
    }

    /** Whether there is a certificate that has not ended. */
    public boolean areValid(Instant now) {
        try {
            return Files.exists(key) && Files.exists(authority) && Files.exists(certificate) && now.isBefore(endsAt());
        } catch (IOException unreadable) {
            return false;
        }
    }

    private Instant endsAt() throws IOException {
        return Pem.certificate(Files.readString(certificate)).getNotAfter().toInstant();
    }

    /** When the certificate is to be renewed: after two thirds of its life. */
    public Instant renewAt() throws IOException {
        var own = Pem.certificate(Files.readString(certificate));
        var from = own.getNotBefore().toInstant();
        var life = Duration.between(from, own.getNotAfter().toInstant());
        return from.plus(life.multipliedBy(2).dividedBy(3));
    }

    /** A signed request for a certificate of the key, which is made if there is none yet. */
    public byte[] request() throws IOException {
        var pair = keys();
        try {
            return new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=sluice"), pair.getPublic())
                    .build(new JcaContentSignerBuilder(SIGNATURE).build(pair.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private KeyPair keys() throws IOException {
        var request = key.resolveSibling(key.getFileName() + ".pub");
        if (!Files.exists(key) || !Files.exists(request)) {
            var pair = newKeys();
            Files.createDirectories(key.toAbsolutePath().getParent());
            Pem.write(request, Pem.text(pair.getPublic()));
            Pem.write(key, Pem.text(pair.getPrivate()));
            return pair;
        }
        return new KeyPair(Pem.publicKey(Files.readString(request)), Pem.key(Files.readString(key)));
    }

    static KeyPair newKeys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Takes the certificate that was issued. */
    public void issued(byte[] pem) throws IOException {
        Pem.write(certificate, new String(pem, StandardCharsets.US_ASCII));
    }

    /** Takes the authority's certificate. */
    public void trust(byte[] pem) throws IOException {
        Pem.write(authority, new String(pem, StandardCharsets.US_ASCII));
    }
}
