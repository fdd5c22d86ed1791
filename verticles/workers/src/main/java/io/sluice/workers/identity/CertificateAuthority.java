package io.sluice.workers.identity;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Issues the certificates of workers, of controllers and of the listeners. Its key is a file that no other has. */
public final class CertificateAuthority {
    private static final String KEY = "ca.key";
    private static final String CERTIFICATE = "ca.crt";
    private static final Duration OWN_LIFE = Duration.ofDays(3650);
    /** For machines whose clocks are behind, the part of a certificate's life by which it begins earlier. */
    private static final int EARLIER = 10;

    private static final int SERIAL_BITS = 127;
    private static final int REQUEST_MAX = 4_096;
    private static final int CURVE_BITS = 256;

    private final SecureRandom random = new SecureRandom();
    private final PrivateKey key;
    private final X509Certificate own;

    private CertificateAuthority(PrivateKey key, X509Certificate own) {
        this.key = key;
        this.own = own;
    }

    /** A request for a certificate that is not fulfilled. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String reason) {
            super(reason, null, false, false);
        }
    }

    /**
     * A certificate that was issued.
     *
     * @param key the fingerprint of its public key
     */
    public record Issued(byte[] pem, String key, Instant endsAt) {}

    /** Opens the authority of that directory; where there is none it makes one. */
    public static CertificateAuthority in(Path directory, Instant now) throws IOException {
        Files.createDirectories(directory);
        var key = directory.resolve(KEY);
        var certificate = directory.resolve(CERTIFICATE);
        if (Files.exists(key) && Files.exists(certificate)) {
            return new CertificateAuthority(
                    Pem.key(Files.readString(key)), Pem.certificate(Files.readString(certificate)));
        }
        var made = create(now);
        Pem.write(key, Pem.text(made.key));
        Pem.write(certificate, Pem.text(made.own));
        return made;
    }

    private static CertificateAuthority create(Instant now) {
        var pair = IdentityFiles.newKeys();
        var name = new X500Principal("CN=Sluice");
        var random = new SecureRandom();
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(SERIAL_BITS, random),
                    Date.from(now.minus(OWN_LIFE.dividedBy(EARLIER))),
                    Date.from(now.plus(OWN_LIFE)),
                    name,
                    pair.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            return new CertificateAuthority(pair.getPrivate(), signed(builder, pair.getPrivate()));
        } catch (CertIOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey signer) {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(IdentityFiles.SIGNATURE).build(signer)));
        } catch (OperatorCreationException | CertificateException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Its certificate. */
    public byte[] pem() {
        return Pem.text(own).getBytes(StandardCharsets.US_ASCII);
    }

    /** The fingerprint by which machines know it before they have a certificate. */
    public String fingerprint() {
        try {
            return ClientIdentity.fingerprint(own.getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A token that leads to this authority. */
    public JoinSecret token() {
        return JoinSecret.random(random, fingerprint());
    }

    /** The key that a request is signed with. */
    public static PublicKey requested(byte[] request) throws Refused {
        if (request.length == 0 || request.length > REQUEST_MAX) {
            throw new Refused("a request for a certificate has at most " + REQUEST_MAX + " bytes");
        }
        try {
            var read = new JcaPKCS10CertificationRequest(request);
            if (!(read.getPublicKey() instanceof ECPublicKey curve)
                    || curve.getParams().getCurve().getField().getFieldSize() != CURVE_BITS) {
                throw new Refused("the key of a certificate is one of the curve P-256");
            }
            if (!read.isSignatureValid(new JcaContentVerifierProviderBuilder().build(curve))) {
                throw new Refused("the request for a certificate is not signed with its key");
            }
            return curve;
        } catch (IOException
                | InvalidKeyException
                | NoSuchAlgorithmException
                | OperatorCreationException
                | PKCSException
                | IllegalArgumentException
                | ClassCastException unreadable) {
            throw new Refused("the request for a certificate cannot be read");
        }
    }

    /** The fingerprint of a key. */
    public static String fingerprint(PublicKey key) {
        return ClientIdentity.fingerprint(key.getEncoded());
    }

    /** Issues a certificate that names these, all of one kind. */
    public Issued issue(PublicKey holder, List<CertificateName> names, Duration life, Instant now) {
        var alternatives = names.stream()
                .map(name -> new GeneralName(GeneralName.uniformResourceIdentifier, name.uri()))
                .toList();
        return issue(holder, names.getFirst().name(), alternatives, KeyPurposeId.id_kp_clientAuth, life, now);
    }

    /**
     * A key of a listener and its certificate, both in the form PEM.
     *
     * @param certificate followed by that of the authority
     */
    public record Listener(String key, byte[] certificate, Instant endsAt) {}

    /** Makes a key of a listener with a certificate; the names are of hosts, or addresses. */
    public Listener listener(List<String> names, Duration life, Instant now) {
        var pair = IdentityFiles.newKeys();
        var alternatives = names.stream()
                .map(name -> new GeneralName(
                        name.matches("[0-9.]+|.*:.*") ? GeneralName.iPAddress : GeneralName.dNSName, name))
                .toList();
        var issued = issue(pair.getPublic(), "sluice", alternatives, KeyPurposeId.id_kp_serverAuth, life, now);
        return new Listener(Pem.text(pair.getPrivate()), issued.pem(), issued.endsAt());
    }

    private Issued issue(
            PublicKey holder,
            String name,
            List<GeneralName> alternatives,
            KeyPurposeId purpose,
            Duration life,
            Instant now) {
        var latest = own.getNotAfter().toInstant();
        var endsAt = now.plus(life).isBefore(latest) ? now.plus(life) : latest;
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    own,
                    new BigInteger(SERIAL_BITS, random),
                    Date.from(now.minus(life.dividedBy(EARLIER))),
                    Date.from(endsAt),
                    new X500Principal("CN=" + name.replace('*', '_')),
                    holder);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new ArrayList<>(alternatives).toArray(GeneralName[]::new)));
            var text = Pem.text(signed(builder, key)) + Pem.text(own);
            return new Issued(text.getBytes(StandardCharsets.US_ASCII), fingerprint(holder), endsAt);
        } catch (CertIOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Issues one more certificate for the files' key, and writes it beside it. */
    public void renew(IdentityFiles files, List<CertificateName> names, Duration life, Instant now) throws IOException {
        try {
            files.issued(issue(requested(files.request()), names, life, now).pem());
            files.trust(pem());
        } catch (Refused impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
